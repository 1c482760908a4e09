import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { knownInSnapshot } from '../../modules/files/objects/object-inventory-store.ts'
import { writeBackup } from '../../platform/backup/backup.ts'
import { backupSize } from '../../platform/backup/backup-size.ts'
import { checkBackup } from '../../platform/backup/check.ts'
import { writeWholeFile } from '../../platform/backup/places/whole-file.ts'
import { restoreBackup } from '../../platform/backup/restore.ts'
import { isSecretOf, keepSecret, openSecret } from '../../platform/backup/sealed-secret.ts'
import { readConfig } from '../../platform/config.ts'
import { migrateSecretFile, readSecret } from '../../platform/credentials/secrets.ts'
import { migrate } from '../../platform/database/migrate/migrate.ts'
import { createLog } from '../../platform/logging/log.ts'
import { counted, type Group, JSON_OUTPUT, PROGRESS, printResult } from '../command.ts'
import { MIGRATIONS, readOptions, UsageError, withDatabase } from '../context.ts'
import { createProgress, type Progress, readable } from '../progress.ts'
import { BACKUP_VERIFY } from './backup-verify.ts'

const OPTIONS = {
  'passphrase-file': { type: 'string' },
  force: { type: 'boolean' },
  ...PROGRESS,
  ...JSON_OUTPUT,
} as const

/** Writes the whole service into one file, while it runs. */
async function backup(args: string[]) {
  const { values, positionals } = readOptions(args, OPTIONS)
  const file = theFile(positionals)
  if (!values.force && (await isThere(file)))
    throw new Error(`"${file}" already exists: choose another name, or use --force to replace it`)
  const passphrase = await passphraseIn(values['passphrase-file'])
  const config = readConfig(process.env)
  const secret = readSecret(config.CAIRN_SECRET, config.CAIRN_DATA_DIR)
  const progress = createProgress(values)
  const done = await withDatabase(config, async (databaseUrl) => {
    await migrate(databaseUrl, MIGRATIONS)
    const { createApp } = await import('../../app.ts')
    const app = await createApp({ config, databaseUrl, secret, log: createLog('silent') })
    return writeWholeFile(file, async (to) =>
      writeBackup({
        databaseUrl,
        objects: app.objects,
        known: knownInSnapshot,
        secret: keepSecret(secret, passphrase),
        to,
        onProgress: ({ rows, objects, objectBytes }, doing) =>
          progress.show(`${doing}: ${counted(rows, 'row')}, ${counted(objects, 'file')} (${readable(objectBytes)})`),
      }),
    ).finally(app.close)
  }).finally(progress.end)
  const carries =
    passphrase === undefined
      ? 'not included: store it separately, because app keys cannot be read without it'
      : 'included, encrypted'
  const lines = [
    `${file}: ${counted(done.rows, 'row')} of ${done.tables} tables, ${counted(done.objects, 'file')} (${readable(done.objectBytes)}), ${counted(done.jobs, 'job')}`,
    `The secret (CAIRN_SECRET, or the file "secret" in the data folder) is ${carries}.`,
  ]
  if (done.missing > 0)
    lines.push(
      `${counted(done.missing, 'file')} of the database are missing from the storage: cairn files check lists them.`,
    )
  printResult(values, { file, ...done, secret: passphrase === undefined ? 'left out' : 'carried' }, lines.join('\n'))
}

/** Restores into an empty database and storage. */
async function restore(args: string[]) {
  const { values, positionals } = readOptions(args, { ...OPTIONS, 'check-only': { type: 'boolean' } })
  const file = theFile(positionals)
  await backupSize(file)
  const progress = createProgress(values)
  const manifest = await checkBackup(file, progress.show).finally(progress.end)
  const of = `made ${manifest.madeAt}, PostgreSQL ${manifest.postgres}, ${counted(manifest.tables.length, 'table')}`
  if (values['check-only'])
    return printResult(values, { file, whole: true, madeAt: manifest.madeAt }, `${file} is whole: ${of}`)

  const config = readConfig(process.env)
  const passphrase = await passphraseIn(values['passphrase-file'])
  const carried = passphrase === undefined ? undefined : openSecret(manifest.secret, passphrase)
  // Not created here: a new secret would differ.
  const hasSecret = config.CAIRN_SECRET !== undefined || (await isThere(join(config.CAIRN_DATA_DIR, 'secret')))
  const secret = carried ?? (hasSecret ? readSecret(config.CAIRN_SECRET, config.CAIRN_DATA_DIR) : undefined)
  if (secret === undefined || !isSecretOf(manifest.secret, secret))
    throw new Error(
      'The backup was made with another secret: set CAIRN_SECRET to that one, copy its file "secret" into the data folder, or, if the backup includes it, use --passphrase-file',
    )
  if (carried)
    migrateSecretFile(carried, config.CAIRN_SECRET, config.CAIRN_DATA_DIR, { replace: values.force ?? false })
  const done = await withDatabase(config, (databaseUrl) =>
    into(databaseUrl, { file, manifest, secret, isForced: values.force ?? false, progress }),
  ).finally(progress.end)
  printResult(
    values,
    { file, ...done },
    `Restored ${counted(done.rows, 'row')}, ${counted(done.objects, 'file')} and ${counted(done.jobs, 'job')} (${of}). Now start the service.`,
  )
}

type Restoring = {
  file: string
  manifest: Awaited<ReturnType<typeof checkBackup>>
  secret: string
  isForced: boolean
  progress: Progress
}

async function into(databaseUrl: string, { file, manifest, secret, isForced, progress }: Restoring) {
  const { createApp } = await import('../../app.ts')
  const app = await createApp({ config: readConfig(process.env), databaseUrl, secret, log: createLog('silent') })
  const { objects, jobs } = app
  try {
    await objects.check()
    const onProgress = progress.show
    return await restoreBackup(
      { file, databaseUrl, migrations: MIGRATIONS, objects, jobs, isForced, onProgress },
      manifest,
    )
  } finally {
    await app.close()
  }
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

async function passphraseIn(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const passphrase = (await readFile(file, 'utf8').catch(() => '')).replace(/\r?\n$/, '')
  if (passphrase.length < 12) throw new Error(`"${file}" does not have a passphrase of at least 12 characters`)
  return passphrase
}

function theFile(words: string[]): string {
  const [file, ...more] = words
  if (!file || more.length > 0) throw new UsageError('Name the file')
  return file
}

const PASSPHRASE: [string, string] = ['--passphrase-file FILE', 'a file with the passphrase, at least 12 characters']

export const BACKUPS: Group = {
  title: 'Backups',
  commands: [
    {
      words: 'backup',
      usage: 'FILE.tar [--passphrase-file FILE] [--force] [--progress] [--json]',
      summary: 'write the database and all files into one file, while the service runs',
      about:
        'A snapshot of the database, and every file that it references; files that are deleted meanwhile stay in the storage\nuntil the backup is done. Includes queued jobs, but not unfinished uploads and the logs of processes. The service’s secret\nis not included, so that the backup alone does not reveal app keys; with a passphrase it is included, encrypted.\nThe file is readable by its owner only, and gets its name only when it is complete.',
      options: [PASSPHRASE, ['--force', 'replace FILE.tar if it exists']],
      examples: [
        ['cairn backup /backups/cairn-$(date +%F).tar', 'every night, from cron'],
        [
          'cairn backup all.tar --passphrase-file ~/passphrase',
          'with the secret, so that nothing else is needed to restore',
        ],
      ],
      run: backup,
    },
    BACKUP_VERIFY,
    {
      words: 'restore',
      usage: 'FILE.tar [--check-only] [--passphrase-file FILE] [--force] [--progress] [--json]',
      summary: 'restore a backup into an empty service that is not running',
      about:
        'Verifies all checksums first: a truncated or damaged backup is refused, and nothing is changed. The backup may come from\nanother PostgreSQL (15 or newer), from a folder or S3, and from an older release.',
      options: [
        ['--check-only', 'verify the checksums, and restore nothing'],
        PASSPHRASE,
        ['--force', 'overwrite the content of the database; existing files are kept'],
      ],
      examples: [
        ['cairn restore all.tar --check-only', 'checks that a backup is complete'],
        ['CAIRN_DATA_DIR=/srv/new cairn restore all.tar --passphrase-file p', 'on another machine'],
      ],
      run: restore,
    },
  ],
}
