import { Bytes } from './bytes.ts';
import { Column } from './column.ts';
import { Contents } from './contents.ts';
import { Floats } from './floats.ts';
import { Found } from './found.ts';
import { History } from './history.ts';
import { PathTerms } from './path-terms.ts';
import { Tree } from './tree.ts';

// What the host calls to search. It has objects as numbers; addresses and rows hold until the next
// call that may take memory.

export function columnAt(column: Column): usize {
  return column.address;
}

export function columnLength(column: Column): u32 {
  return column.length;
}

export function floatsAt(floats: Floats): usize {
  return floats.address;
}

export function floatsLength(floats: Floats): u32 {
  return floats.length;
}

const image = new Bytes();

/** Where so many bytes of a segment can be written; what stood there is gone. */
export function imageRoom(bytes: usize): usize {
  return image.clear(bytes);
}

/** The lists of so many terms. */
export function newFound(terms: u32): Found {
  return new Found(terms);
}

/** Two numbers for the hash of each term: the lower half and the upper one. */
export function hashesOf(found: Found): Column {
  return found.hashes;
}

/** The next segment; then the rows and the numbers of its documents have to be written. */
export function addPart(found: Found, documents: u32, blocks: u32): void {
  found.addPart(documents, blocks);
}

export function rowsAt(found: Found): usize {
  return found.lastPart.rows;
}

export function numbersOf(found: Found): Column {
  return found.lastPart.numbers;
}

export function findBuckets(found: Found, directory: usize, count: u32): void {
  found.findBuckets(directory, count);
}

export function findLists(found: Found, buckets: usize, listBytes: u32): bool {
  return found.findLists(buckets, listBytes);
}

export function keepLists(found: Found, lists: usize): bool {
  return found.keepLists(lists);
}

/** By term: where the bucket or list stands that was found last. */
export function startsOf(found: Found): Column {
  return found.starts;
}

export function endsOf(found: Found): Column {
  return found.ends;
}

/** By term: in how many documents it stands. */
export function documentsOf(found: Found): Column {
  return found.documents;
}

/** How often a term stands in a document of a part. */
export function countIn(found: Found, term: u32, part: u32, document: u32): u32 {
  return found.countIn(found.parts[part], term, document);
}

export function newContents(found: Found, count: u32): Contents {
  return new Contents(found, count);
}

/** By term: what it is worth, and whether it joins several parts of a name. */
export function valuesOf(contents: Contents): Floats {
  return contents.values;
}

export function areJointsOf(contents: Contents): Column {
  return contents.areJoints;
}

export function weighContents(contents: Contents): void {
  contents.weigh();
}

export function bodyOf(contents: Contents): Floats {
  return contents.body;
}

export function jointsOf(contents: Contents): Floats {
  return contents.joints;
}

export function definitionsOf(contents: Contents): Floats {
  return contents.definitions;
}

export function definedJointsOf(contents: Contents): Floats {
  return contents.definedJoints;
}

export function windowOf(contents: Contents): Floats {
  return contents.window;
}

export function windowStartOf(contents: Contents): Column {
  return contents.windowStart;
}

export function newTree(bytes: usize, count: u32): Tree {
  return new Tree(bytes, count);
}

/** Where the paths are written, with a NUL after each but the last. */
export function treeText(tree: Tree): usize {
  return tree.text;
}

export function newPathTerms(terms: u32): PathTerms {
  return new PathTerms(terms);
}

/** Two numbers for the hash of each term: the lower half and the upper one. */
export function pathHashesOf(wanted: PathTerms): Column {
  return wanted.hashes;
}

/** By term: the first two letters or digits that its names start with, one byte each. */
export function pathStartsOf(wanted: PathTerms): Column {
  return wanted.starts;
}

export function findInPaths(wanted: PathTerms, tree: Tree): void {
  wanted.find(tree);
}

/** Paths with more than ASCII, whose hits have to be added. */
export function otherPathsOf(wanted: PathTerms): Column {
  return wanted.others;
}

export function addPathTerm(wanted: PathTerms, path: u32, term: u32, isName: bool): void {
  wanted.add(path, term, isName ? 1 : 0);
}

/** By hit: its path, and 1 where it counts as one in the name of the file. */
export function hitPathsOf(wanted: PathTerms): Column {
  return wanted.paths;
}

export function areNamesOf(wanted: PathTerms): Column {
  return wanted.areNames;
}

/** The hits in the name of the folder that the file is in. */
export function ownFoldersOf(wanted: PathTerms): Column {
  return wanted.ownFolders;
}

/** By term: in how many paths it stands, and what it is worth. */
export function pathCountsOf(wanted: PathTerms): Column {
  return wanted.counts;
}

export function pathValuesOf(wanted: PathTerms): Floats {
  return wanted.values;
}

export function scorePaths(wanted: PathTerms, tree: Tree): Floats {
  return wanted.score(tree);
}

export function newHistory(found: Found, tree: Tree, commits: u32): History {
  return new History(found, tree, commits);
}

/** Reads the files of the commits of a part; false where one is damaged. */
export function readFiles(history: History, part: u32, payloads: usize): bool {
  return history.readFiles(part, payloads);
}

export function filesOf(history: History): Column {
  return history.files;
}

export function weighHistory(history: History, messageDecay: f64, touchDecay: f64): void {
  history.weigh(messageDecay, touchDecay);
}

/** How many paths of the tree were touched. */
export function touchedOf(history: History): u32 {
  return history.touched;
}

export function addLikes(history: History, term: u32, value: f64): void {
  history.addLikes(term, value);
}

export function findPaths(history: History, term: u32): u32 {
  return history.findPaths(term);
}

export function addPaths(history: History, value: f64): void {
  history.addPaths(value);
}

/** The commits whose messages have a term. */
export function commitsOf(history: History, term: u32): Column {
  return history.commitsOf(term);
}

/** The paths that a commit touched. */
export function pathsOf(history: History, commit: u32): Column {
  return history.pathsOf(commit);
}

export function likesOf(history: History): Floats {
  return history.likes;
}

export function scoresOf(history: History): Floats {
  return history.scores;
}

export function churnOf(history: History): Floats {
  return history.churn;
}

export function touchesOf(history: History): Column {
  return history.touches;
}
