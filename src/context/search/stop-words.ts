// Lists words that say nothing about where a change belongs.

/**
 * Words that say nothing about where a change belongs: function words of a few languages and what
 * every task text says (“please add support for …”).
 */
export const stopWords: ReadonlySet<string> = new Set(
  `
  a about above after again against all almost along already also although always am an and another
  any anybody anyone anything are aren as at be became because become been before being below best
  better between both but by can cannot cant could couldn did didn do does doesn doing don done down
  during each either else enough etc even ever every everything few first for from further get gets
  getting give given gives go goes going got had hadn has hasn have haven having he her here hers him
  his how however i ie if in instead into is isn it its itself just keep kind know last later least
  less let lets like likely ll lot lots made make makes making many may maybe me might more most much
  must mustn my need needed needs neither never new next no nobody none nor not nothing now of off
  often ok on once one ones only onto or other others our ours out over own per perhaps please put
  quite rather re really s same say says see seem seems set several shall she should shouldn since so
  some someone something sometimes somewhere soon still such sure t take taken takes than thank thanks
  that the their them then there these they thing things think this those though three through thus to
  together too try trying two under until up upon us use used useful uses using usually ve very via
  want wanted wants was wasn way ways we well were weren what whatever when whenever where whether
  which while who whole whose why will with within without won work worked working works would
  wouldn yes yet you your yours

  able add added adding adds allow allowed allows appear appears behave behavior behaviour bug bugs
  cause caused causes change changed changes code correct correctly create creating currently describe
  description ensure example examples existing expect expected explain extend feature features file
  files fix fixed fixes fixing follow following function functionality handle handled handles handling
  happen happens idea implement implementation implemented implementing improve improved improving
  include included incorrect incorrectly introduce issue issues move possible problem problems project
  propose proper properly provide provided question refactor remove removed removing rename replace
  report reproduce request require required result run running runs rewrite should steps suggest
  support supported supporting supports task tasks todo update updated updates updating wrong

  aber alle als am an auch auf aus bei bis bitte da damit dann das dass dein dem den der des die dies
  diese dieser dieses doch dort durch ein eine einem einen einer eines er es fehler funktion für gegen
  hat haben hier hinzu hinzufügen ich ihr im in ist ja jede jeder jedes kann kein keine können man mehr
  mit muss müssen nach neu neue neuen neuer nicht noch nur oder ohne sein sich sie sind so soll sollen
  sollte über um und uns unter unterstützung vom von vor wann war was weil wenn wer werden wie wieder
  wir wird wo wurde zu zum zur zwischen ändern

  afin ainsi alors ajouter au aussi autre aux avec avoir ce cela ces cet cette comme corriger dans de
  depuis des doit donc du elle elles en entre est et être faire faut fonction il ils je la le les leur
  lors lorsque mais mes moi mon même ne nos notre nous ou où par pas peut plus pour pourquoi quand que
  quel quelle qui sa sans se ses si son sont sous sur tous tout toute très un une vers vous

  agregar al algo ante antes añadir así cada como con contra corregir cual cuando cómo debe del desde
  donde dos ella ellos entre era es esa ese eso esta estar este esto están función hace hacer hacia
  hasta hay la las lo los más mi mientras muy nada no nos nueva nuevo o otra otro para pero poder por
  porque puede que qué quien se ser si sin sobre solo son su sus también tan tiene todo todos un una
  unos usar y ya

  的 了 和 在 是 中 中的 这个 那个 一个 可以 我们 添加 修复 する します ます こと これ それ ため です ない
  `
    .split(/\s+/)
    .filter((word) => word !== ''),
);
