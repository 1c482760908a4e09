import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Receiver } from '../../server/test/network/receiver.ts'
import { cleanUp, newFolder } from '../../server/test/process.ts'
import { steadyPort } from '../../server/test/programs/steady-port.ts'
import type { Checkout } from './checkout.ts'
import { type Filled, fill } from './fill.ts'
import { type Answers, differences, readAll } from './read.ts'
import { command, during, type Place } from './service.ts'

/** A data folder that the earlier version filled and closed, its responses, and its backup. */
export type Scenario = {
  earlier: Checkout
  later: Checkout
  filled: Filled
  before: Answers
  place: Place
  backup: string
  receiver: Receiver
  remove: () => Promise<void>
}

/** Fills a data folder with the earlier version. */
export async function prepare(earlier: Checkout, later: Checkout, receiver: Receiver): Promise<Scenario> {
  const dataDir = await newFolder()
  const place = { dataDir, port: await steadyPort(), webhookHost: receiver.host }
  const backup = join(tmpdir(), `cairn-upgrade-${process.pid}-${place.port}.tar`)
  const remove = async () => {
    rmSync(backup, { force: true })
    await cleanUp(dataDir)
  }
  try {
    const { filled, before } = await during(earlier, place, async (url) => {
      const token = await command(earlier, place, ['user', 'token', '--name', 'upgrade', '--role', 'admin'])
      const filled = await fill(url, token, receiver.url)
      return { filled, before: await readAll(url, filled) }
    })
    await command(earlier, place, ['backup', backup])
    return { earlier, later, filled, before, place, backup, receiver, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Runs work on a copy of the filled data folder. */
export async function onCopy<T>({ place }: Scenario, work: (place: Place) => Promise<T>): Promise<T> {
  const dataDir = await newFolder()
  try {
    execFileSync('cp', ['-a', `${place.dataDir}/.`, dataDir])
    return await work({ ...place, dataDir })
  } finally {
    await cleanUp(dataDir)
  }
}

/** Runs work on a new data folder into which a version has restored a backup. */
export async function onRestored<T>(
  { place }: Pick<Scenario, 'place'>,
  { backup, by, databaseUrl }: { backup: string; by: Checkout; databaseUrl?: string },
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const dataDir = await newFolder()
  try {
    // The backup does not contain the secret.
    copyFileSync(join(place.dataDir, 'secret'), join(dataDir, 'secret'))
    const target = { ...place, dataDir, ...(databaseUrl && { databaseUrl }) }
    await command(by, target, ['restore', backup])
    return await work(target)
  } finally {
    await cleanUp(dataDir)
  }
}

/** Starts a version and compares its responses with the earlier ones. @returns the differences */
export const wholeIn = ({ filled, before }: Scenario, version: Checkout, place: Place): Promise<string[]> =>
  during(version, place, async (url) => differences(before, await readAll(url, filled)))
