import fc from 'fast-check'

/** Property tests draw the same cases every run, so that a red run is the fault of what was changed. `CAIRN_TEST_SEED=random npm test` draws others; a number repeats a run. */
const given = process.env.CAIRN_TEST_SEED
if (given !== 'random') fc.configureGlobal({ seed: Number(given ?? 20_261_121) })
