import { isId } from '../../platform/ids.ts'
import { counted, type Group, JSON_OUTPUT, PROGRESS, printResult } from '../command.ts'
import { assertNoArguments, readOptions, withApp } from '../context.ts'
import { createProgress } from '../progress.ts'

/** Recomputes every best score from the scores. */
async function rebuild(args: string[]) {
  const options = { app: { type: 'string' }, check: { type: 'boolean' }, ...PROGRESS, ...JSON_OUTPUT } as const
  const { values, positionals } = readOptions(args, options)
  assertNoArguments(positionals)
  if (values.app !== undefined && !isId(values.app)) throw new Error(`There is no app "${values.app}"`)
  const isCheckOnly = values.check ?? false
  const progress = createProgress(values)
  await withApp(async (app) => {
    const done = await app.operator
      .ranks({
        appId: values.app,
        isCheckOnly,
        tell: ({ checked }) => progress.show(`${counted(checked, 'best score')} looked at`),
      })
      .finally(progress.end)
    const wrong = done.corrected + done.missing
    const found =
      wrong === 0 ? 'all are correct' : `${wrong} ${isCheckOnly ? 'are wrong' : 'were wrong and are corrected'}`
    printResult(values, done, `${counted(done.checked, 'best score')}: ${found}`)
    if (isCheckOnly && wrong > 0) process.exitCode = 1
  })
}

export const RANKS: Group = {
  title: 'Ranks',
  commands: [
    {
      words: 'rebuild-ranks',
      usage: '[--app ID] [--check] [--progress] [--json]',
      summary: 'recompute the best score of every player from the scores',
      about:
        'Rankings use the best score of each player, which every write maintains; this checks all of them and corrects manual\nchanges, also on the boards of segments and of running windows and seasons. Boards of periods that have ended stay.\nA running service reloads the affected boards within a second.',
      options: [
        ['--app ID', 'of one app only'],
        ['--check', 'correct nothing'],
      ],
      examples: [
        ['cairn rebuild-ranks --check', 'only checks'],
        ['cairn rebuild-ranks --progress', 'after scores were changed in SQL'],
      ],
      exits: [[1, 'with --check: something is wrong']],
      run: rebuild,
    },
  ],
}
