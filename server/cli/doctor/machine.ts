import { randomBytes } from 'node:crypto'
import { existsSync, statfsSync, statSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { existingSecret } from '../../platform/credentials/secrets.ts'
import { databaseDiskReserve } from '../../platform/database/database-disk.ts'
import { ensureDir } from '../../platform/storage/folder/ensure-dir.ts'
import { readable } from '../progress.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const WANTED_NODE = 24

export function node(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= WANTED_NODE) return ok('node', `Node ${process.versions.node}`)
  return fail(
    'node',
    `Node ${process.versions.node}`,
    `Use Node ${WANTED_NODE} or later; npm run cairn brings it in a clone`,
  )
}

/** Checks that files can be created in the data folder, and its free space. */
export async function dataFolder({ CAIRN_DATA_DIR: folder, CAIRN_DISK_RESERVE_BYTES: reserve }: Config) {
  try {
    ensureDir(folder)
    const probe = join(folder, `.probe-${randomBytes(6).toString('hex')}`)
    await writeFile(probe, 'probe')
    await rm(probe)
  } catch (error) {
    const mend = `Allow this account to write to ${folder}, or set CAIRN_DATA_DIR to another folder`
    return fail('data folder', (error as Error).message, mend)
  }
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const setting = 'CAIRN_DISK_RESERVE_BYTES'
  return room('data folder', `${folder}, ${readable(free)} free`, { free, reserve, setting, writes: 'Uploads' })
}

/** Checks the free space of the database, if it is known. */
export async function databaseDisk(config: Config): Promise<Finding | undefined> {
  const { free, reserve } = databaseDiskReserve(config)
  const left = await free()
  if (left === undefined) return undefined
  const setting = 'CAIRN_DATABASE_RESERVE_BYTES'
  const says = `${readable(left)} free for the database`
  return room('database disk', says, { free: left, reserve, setting, writes: 'Writes' })
}

/** Whether more is free than the reserve, below which these writes are refused. */
function room(name: string, says: string, disk: { free: number; reserve: number; setting: string; writes: string }) {
  const { free, reserve, setting, writes } = disk
  if (free < reserve)
    return fail(name, says, `${writes} return 507 below ${readable(reserve)} (${setting}): free some space`)
  if (free < 2 * reserve) return warn(name, says, `${writes} stop at half of that: free some space soon`)
  return ok(name, says)
}

/** Checks that the secret in the data folder exists and is private. */
export function secretFile({ CAIRN_SECRET: given, CAIRN_DATA_DIR: folder }: Config): Finding {
  if (given !== undefined) return ok('secret', 'given by CAIRN_SECRET')
  const file = join(folder, 'secret')
  if (!existsSync(file)) return ok('secret', `created in ${file} at the first start`)
  try {
    existingSecret(given, folder)
  } catch (error) {
    return fail('secret', (error as Error).message, `Restore ${file} from a backup`)
  }
  if ((statSync(file).mode & 0o077) === 0) return ok('secret', `${file}, readable by its owner only`)
  return fail('secret', `${file} can be read by others`, `chmod 600 ${file}`)
}

/** Checks that the port is free, or used by Cairn. */
export async function port({ CAIRN_HOST: host, CAIRN_PORT: number }: Config): Promise<Finding> {
  if (number === 0) return ok('port', 'a free one is chosen at each start')
  const taken = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(number, host, () => server.close(() => resolve(undefined)))
  })
  if (!taken) return ok('port', `${host}:${number} is free: no service runs on it`)
  if (taken.code !== 'EADDRINUSE')
    return fail(
      'port',
      `${host}:${number} cannot be listened on (${taken.code})`,
      'Set CAIRN_HOST to an address of this machine and CAIRN_PORT to a free port',
    )
  const answer = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${number}/healthz`, {
    signal: AbortSignal.timeout(3000),
  }).then(
    (response) => response.ok,
    () => false,
  )
  return answer
    ? ok('port', `a service answers on ${host}:${number}`)
    : fail(
        'port',
        `another program listens on ${host}:${number}`,
        'Set CAIRN_PORT to another port, or stop the other program',
      )
}
