// Has the temporary folders of a test file in memory, with what is kept for all files: either is moved to the other.
const folder = process.env['CONCLAVE_TESTS_MEMORY'];
if (folder !== undefined) {
  process.env['TMPDIR'] = folder;
  process.env['CONCLAVE_TESTS_KEPT'] = folder;
}
