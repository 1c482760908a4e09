import { join } from 'node:path'
import type { Fault } from '../../modules/files/objects/storage-check.ts'
import { type Config, readConfig } from '../../platform/config.ts'
import { createLog } from '../../platform/logging/log.ts'
import { objectsFolder } from '../../platform/platform.ts'
import { folderObjects } from '../../platform/storage/folder/folder-objects.ts'
import { type Moved, moveObjects } from '../../platform/storage/move-objects.ts'
import { s3SettingsOf } from '../../platform/storage/s3/s3-client.ts'
import { s3Objects } from '../../platform/storage/s3/s3-objects.ts'
import type { Group } from '../command.ts'
import { assertNoArguments, readOptions, withApp } from '../context.ts'

const EVERY = 100

/** Whether what is stored is what the database says. Exit code 1 when it is not. */
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

/** Copies the files of the data folder to S3. Needs no database, and harms no service that runs on the folder. */
async function filesMove(args: string[]) {
  const { values, positionals } = readOptions(args, { remove: { type: 'boolean' }, json: { type: 'boolean' } })
  assertNoArguments(positionals)
  const config = readConfig(process.env)
  const settings = s3SettingsOf(config)
  if (!settings) throw new Error('Set CAIRN_S3_BUCKET and what belongs to it: the files go there')
  const folder = objectsFolder(config)
  const publicUrl = () => config.CAIRN_PUBLIC_URL ?? ''
  const spoolFolder = join(config.CAIRN_DATA_DIR, 'moving-objects')
  const to = s3Objects({ settings, spoolFolder, publicUrl, log: createLog('silent') })
  await to.check()
  await to.sweep({ olderThanMs: 0 })

  const say = values.json ? () => {} : console.log
  const remove = values.remove ?? false
  say(
    `Copying the files of ${folder} to ${placeOf(config)}.${remove ? ' Each is removed from the folder once it is there.' : ''}`,
  )
  const moved = await moveObjects({
    from: folderObjects({ folder, publicUrl }),
    to,
    remove,
    tell: (soFar) => (soFar.copied + soFar.alreadyThere) % EVERY === 0 && say(progress(soFar)),
  }).catch((error: Error) => {
    const cause = (error.cause as Error | undefined)?.message
    throw new Error(`${error.message}${cause ? ` (${cause})` : ''}. Run this again: it goes on where it broke off`)
  })
  if (values.json) console.log(JSON.stringify(moved))
  else console.log(ending(moved, remove))
  if (moved.different.length > 0) process.exitCode = 1
}

/** Where files are kept by these settings: whoever forgot some sees it here. */
function placeOf(config: Config): string {
  const settings = s3SettingsOf(config)
  return settings ? `${settings.endpoint ?? 'AWS'}, bucket ${settings.bucket}` : objectsFolder(config)
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

const progress = ({ copied, alreadyThere, bytes }: Moved) =>
  `${copied} copied (${(bytes / 2 ** 20).toFixed(1)} MiB), ${alreadyThere} were there`

function ending(moved: Moved, remove: boolean): string {
  const lines = [`${progress(moved)}${remove ? `, ${moved.removed} removed from the folder` : ''}.`]
  for (const key of moved.different) lines.push(`different ${key}: there is another object under this key; it was left`)
  lines.push(
    'Now start the service with these CAIRN_S3_* settings; if it ran meanwhile, run this once more after that.',
    'Then `cairn files check` says whether every file is there. Addresses of files stay as they are.',
  )
  return lines.join('\n')
}

export const FILES: Group = {
  title: 'Files',
  commands: [
    {
      words: 'files check',
      usage: '[--hashes] [--json]',
      summary: 'compare the stored files with what the database says of them',
      about: 'Finds files without their bytes, stored objects that nothing knows of, and wrong sizes.',
      options: [['--hashes', 'read every file besides, and find wrong contents']],
      examples: [['cairn files check --hashes', 'after a disk was repaired']],
      exits: [[1, 'something is wrong']],
      run: filesCheck,
    },
    {
      words: 'files move',
      usage: '[--remove] [--json]',
      summary: 'copy the files of the data folder to S3',
      about: 'To the bucket that CAIRN_S3_* names; goes on where it broke off.',
      options: [['--remove', 'take each out of the folder once it is there: not while a service runs on the folder']],
      examples: [
        ['CAIRN_S3_BUCKET=… cairn files move', 'while the service still runs on the folder; then start it with S3'],
      ],
      run: filesMove,
    },
  ],
}
