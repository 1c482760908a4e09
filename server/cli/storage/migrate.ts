import { readConfig } from '../../platform/config.ts'
import { dedicatedClient } from '../../platform/database/locks/dedicated-client.ts'
import { asBaseline, LACKS_BASELINE } from '../../platform/database/migrate/baseline.ts'
import { appliedOn, migrate, migrationsIn } from '../../platform/database/migrate/migrate.ts'
import { counted, type Group, JSON_OUTPUT, printResult } from '../command.ts'
import { assertNoArguments, MIGRATIONS, readOptions, withDatabase } from '../context.ts'

type State = 'applied' | 'waiting' | 'changed' | 'newer'

/** Applies new migrations, or lists them. */
async function apply(args: string[]) {
  const { values, positionals } = readOptions(args, { 'dry-run': { type: 'boolean' }, ...JSON_OUTPUT })
  assertNoArguments(positionals)
  const isDryRun = values['dry-run'] ?? false
  const names = await withDatabase(readConfig(process.env), (url) => migrate(url, MIGRATIONS, { isDryRun }))
  const did = isDryRun ? 'would be applied' : 'applied'
  const words = names.length === 0 ? 'The database is up to date' : `${counted(names.length, 'migration')} ${did}:`
  printResult(values, isDryRun ? { waiting: names } : { applied: names }, [words, ...names].join('\n'))
}

/** Lists the migrations of the database. */
async function status(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  assertNoArguments(positionals)
  const migrations = await withDatabase(readConfig(process.env), states)
  const lines = migrations.map(({ name, state }) => `${state.padEnd(8)} ${name}`)
  printResult(values, { migrations }, lines.join('\n'))
  if (migrations.some(({ state }) => state !== 'applied')) process.exitCode = 1
}

async function states(url: string): Promise<{ name: string; state: State }[]> {
  const client = dedicatedClient(url, 'cairn-migrate')
  await client.connect()
  try {
    const here = await migrationsIn(MIGRATIONS)
    const applied = asBaseline(await appliedOn(client), here)
    if (!applied) throw new Error(LACKS_BASELINE)
    const known = new Set(here.map(({ name }) => name))
    const newer = [...applied.keys()].filter((name) => !known.has(name))
    return [
      ...here.map(({ name, checksum }) => {
        const before = applied.get(name)
        const state: State = before === undefined ? 'waiting' : before === checksum ? 'applied' : 'changed'
        return { name, state }
      }),
      ...newer.map((name) => ({ name, state: 'newer' as const })),
    ]
  } finally {
    await client.end()
  }
}

export const MIGRATING: Group = {
  title: 'The database',
  commands: [
    {
      words: 'migrate',
      usage: '[--dry-run] [--json]',
      summary: 'apply new migrations',
      about:
        'Each migration is a separate transaction. The service does the same when it starts; use this to migrate in advance.',
      options: [['--dry-run', 'list what would be applied, and apply nothing']],
      examples: [['cairn migrate --dry-run', 'lists the changes of a new release before its start']],
      run: apply,
    },
    {
      words: 'migrate status',
      usage: '[--json]',
      summary: 'list the migrations of the database',
      about:
        'applied: done. waiting: applied at the next start. changed: its text differs, which the next start refuses.\nnewer: applied by a later release.',
      examples: [['cairn migrate status', 'one line a migration']],
      exits: [[1, 'not all are applied, or the database was migrated by a newer release']],
      run: status,
    },
  ],
}
