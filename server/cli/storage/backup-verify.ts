import { isSecretOf } from '../../platform/backup/sealed-secret.ts'
import { type Config, readConfig } from '../../platform/config.ts'
import { existingSecret } from '../../platform/credentials/secrets.ts'
import { type Command, counted, JSON_OUTPUT, PROGRESS, printResult } from '../command.ts'
import { readOptions, UsageError } from '../context.ts'
import { createProgress, readable } from '../progress.ts'
import { drill } from './backup-drill.ts'

/** A restore drill: everything but the place it is restored to is as in a restore. */
async function run(args: string[]) {
  const { values, positionals } = readOptions(args, {
    latest: { type: 'boolean' },
    folder: { type: 'string' },
    ...PROGRESS,
    ...JSON_OUTPUT,
  })
  const [file, ...more] = positionals
  if (more.length > 0 || (file === undefined) === !values.latest)
    throw new UsageError('Say which file, or --latest for the newest scheduled backup')
  const config = readConfig(process.env)
  const began = performance.now()
  const progress = createProgress(values)
  const stopped = untilStopped()
  const onProgress = (doing: string) => {
    stopped.throwIfAborted()
    progress.show(doing)
  }
  const done = await drill({ file, config }, { folder: values.folder, onProgress }).finally(progress.end)
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const { manifest, counts } = done.checked
  const secret = secretOf(config)
  const fits = secret === undefined ? null : isSecretOf(manifest.secret, secret)
  const { rows, objects, jobs } = done.restored
  const lines = [
    `${done.file}, of ${manifest.madeAt}, can be restored: ${counted(rows, 'row')} of ${counted(manifest.tables.length, 'table')}, ${counted(objects, 'file')} (${readable(counts.objectBytes)}) and ${counted(jobs, 'job')}, in ${seconds} s.`,
  ]
  if (!done.checked.isCounted)
    lines.push('It was made by a release that did not count: its checksums alone say that it is whole.')
  if (done.missing > 0)
    lines.push(
      `${counted(done.missing, 'file')} that records name are not in it: cairn files check says whether they are in the storage.`,
    )
  if (fits === false)
    lines.push(
      `It was made with another secret than the one here${manifest.secret.sealed ? ', which it carries, sealed' : ''}: a restore needs that one.`,
    )
  printResult(
    values,
    { file: done.file, madeAt: manifest.madeAt, rows, objects, jobs, missing: done.missing, secretFits: fits, seconds },
    lines.join('\n'),
  )
}

/** Aborted by Ctrl-C or SIGTERM: what is temporary is removed first. */
function untilStopped(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(new Error(`Stopped by ${signal}: nothing is left`)))
  return stop.signal
}

function secretOf({ CAIRN_SECRET, CAIRN_DATA_DIR }: Config): string | undefined {
  try {
    return existingSecret(CAIRN_SECRET, CAIRN_DATA_DIR)
  } catch {
    return undefined
  }
}

export const BACKUP_VERIFY: Command = {
  words: 'backup verify',
  usage: 'FILE.tar | --latest [--folder FOLDER] [--progress] [--json]',
  summary: 'test a backup by restoring it into a temporary database and folder',
  about:
    'A restore drill: checksums, the restore itself into a PostgreSQL of its own, rows and files counted. All of it is removed\nafterwards. The service, its database and its files are not touched. It needs about twice the size of the backup on the disk.',
  options: [
    ['--latest', 'the newest scheduled backup, from where CAIRN_BACKUP_* says'],
    ['--folder FOLDER', 'where the temporary files go, in place of the folder of the system'],
  ],
  examples: [['cairn backup verify --latest', 'every month, from cron']],
  exits: [[1, 'it cannot be restored']],
  run,
}
