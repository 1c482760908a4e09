import fc from 'fast-check'

/** Property tests use the same cases in every run, so that a failure is caused by a change. `CAIRN_TEST_SEED=random npm test` uses others; a number reproduces a run. */
const given = process.env.CAIRN_TEST_SEED
if (given !== 'random') fc.configureGlobal({ seed: Number(given ?? 20_261_121) })
