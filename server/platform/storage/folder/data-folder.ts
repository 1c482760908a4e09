import { randomBytes } from 'node:crypto'
import { accessSync, chmodSync, constants, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ensureDir, giveToParentOwner } from './ensure-dir.ts'

/** Increase it when an older release would misread or damage the data folder. */
const FORMAT = 1
const NAME = 'version.json'

/** The release that used a data folder last. */
type Written = { version: string; format: number }

/**
 * Creates the data folder if it is missing, and closes it to other accounts. @throws a sentence if it is that of another account, or if a newer release
 * has changed its format
 */
export function openDataFolder(dataDir: string, version: string): void {
  ensureDir(dirname(resolve(dataDir)))
  ensureDir(dataDir, 0o700)
  assertReadable(dataDir)
  closeToOthers(dataDir)
  const last = lastVersion(dataDir)
  if (last && last.format > FORMAT)
    throw new Error(
      `The data folder ${resolve(dataDir)} was written by Cairn ${last.version} in a format that Cairn ${version} does not read: install Cairn ${last.version} or newer, or restore the backup from before the upgrade into another CAIRN_DATA_DIR`,
    )
}

/**
 * Lets only its owner into the data folder. Does nothing if that is another account. A folder of root stays open to its
 * group for passing through: the account of the embedded PostgreSQL may have to.
 */
function closeToOthers(dataDir: string): void {
  const { uid, mode } = statSync(dataDir)
  if (uid !== process.geteuid?.()) return
  const kept = mode & (uid === 0 ? 0o710 : 0o700)
  if (kept !== (mode & 0o777)) chmodSync(dataDir, kept)
}

function assertReadable(dataDir: string): void {
  if ([NAME, 'secret'].every((name) => isReadable(join(dataDir, name)))) return
  throw new Error(
    `The data folder ${resolve(dataDir)} belongs to another account: run Cairn as that account or as root, or name another folder in CAIRN_DATA_DIR`,
  )
}

/** Whether this account may read a file, if there is one. */
function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EACCES'
  }
}

/** Records in the data folder that this version uses it. */
export function recordInFolder(dataDir: string, version: string): void {
  const last = lastVersion(dataDir)
  if (last?.version === version && last.format === FORMAT) return
  const written: Written = { version, format: FORMAT }
  const file = join(dataDir, NAME)
  // Containers that share the folder may have the same PID.
  const partial = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(partial, `${JSON.stringify(written)}\n`, { flush: true })
    giveToParentOwner(partial)
    renameSync(partial, file)
  } finally {
    rmSync(partial, { force: true })
  }
}

/** The release that used this data folder last; undefined if none has recorded itself. */
export function lastVersion(dataDir: string): Written | undefined {
  const file = join(dataDir, NAME)
  try {
    const { version, format } = JSON.parse(readFileSync(file, 'utf8')) as Written
    if (typeof version === 'string' && Number.isInteger(format)) return { version, format }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Error(`${file} is damaged: delete it if the release that used this folder last is not newer than this one`)
}
