// Has the temporary folders of a test file in memory, where the run has made room there.
const folder = process.env['CONCLAVE_TESTS_MEMORY'];
if (folder !== undefined) process.env['TMPDIR'] = folder;
