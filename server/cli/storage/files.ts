import { join } from 'node:path'
import type { Fault } from '../../modules/files/objects/storage-check.ts'
import { type Config, readConfig } from '../../platform/config.ts'
import { createLog } from '../../platform/logging/log.ts'
import { objectsFolder } from '../../platform/platform.ts'
import { folderObjects } from '../../platform/storage/folder/folder-objects.ts'
import { type Moved, moveObjects } from '../../platform/storage/move-objects.ts'
import { createBucket } from '../../platform/storage/s3/create-bucket.ts'
import { s3SettingsOf } from '../../platform/storage/s3/s3-client.ts'
import { s3Objects } from '../../platform/storage/s3/s3-objects.ts'
import { type Group, JSON_OUTPUT, printResult } from '../command.ts'
import { assertNoArguments, readOptions, withApp } from '../context.ts'

const EVERY = 100

/** Compares the stored files with the database. Exits with 1 if they differ. */
async function filesCheck(args: string[]) {
  const { values, positionals } = readOptions(args, { hashes: { type: 'boolean' }, json: { type: 'boolean' } })
  assertNoArguments(positionals)
  const faults: Fault[] = []
  await withApp(async (app) => {
    const objects = await app.checkStorage({ hashes: values.hashes ?? false }, (fault) => {
      faults.push(fault)
      if (!values.json) console.log(`${fault.fault.padEnd(8)} ${fault.key}  ${fault.says}`)
    })
    if (values.json) console.log(JSON.stringify({ objects, faults }))
    else
      console.log(
        `${counted(objects, 'object')} in ${placeOf(readConfig(process.env))}: ${faults.length === 0 ? 'nothing wrong' : counted(faults.length, 'fault')}`,
      )
  })
  if (faults.length > 0) process.exitCode = 1
}

/** Copies the files of the data folder to S3. Needs no database, and is safe beside a service on the folder. */
async function filesMove(args: string[]) {
  const { values, positionals } = readOptions(args, { remove: { type: 'boolean' }, json: { type: 'boolean' } })
  assertNoArguments(positionals)
  const config = readConfig(process.env)
  const settings = s3SettingsOf(config)
  if (!settings) throw new Error('Set CAIRN_S3_BUCKET and the other CAIRN_S3_* settings: they name the target')
  const folder = objectsFolder(config)
  const publicUrl = () => config.CAIRN_PUBLIC_URL ?? ''
  const spoolFolder = join(config.CAIRN_DATA_DIR, 'moving-objects')
  const to = s3Objects({ settings, spoolFolder, publicUrl, log: createLog('silent') })
  await to.check()
  await to.sweep({ olderThanMs: 0 })

  const say = values.json ? () => {} : console.log
  const remove = values.remove ?? false
  say(
    `Copying the files of ${folder} to ${placeOf(config)}.${remove ? ' Each is removed from the folder once it is copied.' : ''}`,
  )
  const moved = await moveObjects({
    from: folderObjects({ folder, publicUrl }),
    to,
    remove,
    onProgress: (soFar) => (soFar.copied + soFar.alreadyThere) % EVERY === 0 && say(progress(soFar)),
  }).catch((error: Error) => {
    const cause = (error.cause as Error | undefined)?.message
    throw new Error(`${error.message}${cause ? ` (${cause})` : ''}. Run this again to resume`)
  })
  if (values.json) console.log(JSON.stringify(moved))
  else console.log(ending(moved, remove))
  if (moved.different.length > 0) process.exitCode = 1
}

/** Creates the bucket of the files. Needs no database. */
async function filesCreateBucket(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  assertNoArguments(positionals)
  const settings = s3SettingsOf(readConfig(process.env))
  if (!settings) throw new Error('Set CAIRN_S3_BUCKET and the other CAIRN_S3_* settings: they name the bucket')
  const { bucket } = settings
  const created = await createBucket(settings)
  printResult(values, { bucket, created }, `The bucket ${bucket} ${created ? 'was created' : 'is there'}`)
}

/** The configured storage, printed so that missing settings are noticed. */
function placeOf(config: Config): string {
  const settings = s3SettingsOf(config)
  return settings ? `${settings.endpoint ?? 'AWS'}, bucket ${settings.bucket}` : objectsFolder(config)
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

const progress = ({ copied, alreadyThere, bytes }: Moved) =>
  `${copied} copied (${(bytes / 2 ** 20).toFixed(1)} MiB), ${alreadyThere} were there`

function ending(moved: Moved, remove: boolean): string {
  const lines = [`${progress(moved)}${remove ? `, ${moved.removed} removed from the folder` : ''}.`]
  for (const key of moved.different) lines.push(`different ${key}: another object has this key; it was kept`)
  lines.push(
    'Now start the service with these CAIRN_S3_* settings; if it ran meanwhile, run this once more afterwards.',
    'Then `cairn files check` checks that every file is there. URLs of files stay the same.',
  )
  return lines.join('\n')
}

export const FILES: Group = {
  title: 'Files',
  commands: [
    {
      words: 'files check',
      usage: '[--hashes] [--json]',
      summary: 'compare the stored files with the database',
      about: 'Finds files without bytes, stored objects without a record, and wrong sizes.',
      options: [['--hashes', 'also read every file, and find wrong contents']],
      examples: [['cairn files check --hashes', 'after a disk was repaired']],
      exits: [[1, 'something is wrong']],
      run: filesCheck,
    },
    {
      words: 'files move',
      usage: '[--remove] [--json]',
      summary: 'copy the files of the data folder to S3',
      about: 'The target is the bucket of CAIRN_S3_*. A repeated run resumes.',
      options: [
        ['--remove', 'remove each file from the folder once it is copied; not while a service uses the folder'],
      ],
      examples: [
        ['CAIRN_S3_BUCKET=… cairn files move', 'while the service still uses the folder; then restart it with S3'],
      ],
      run: filesMove,
    },
    {
      words: 'files create-bucket',
      usage: '[--json]',
      summary: 'create the bucket of CAIRN_S3_BUCKET, if there is none',
      about: 'Waits for a minute for a storage that is still starting. Needs no database.',
      examples: [['cairn files create-bucket', 'before the service first starts on a new storage']],
      run: filesCreateBucket,
    },
  ],
}
