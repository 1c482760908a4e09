import { closeSync, openSync } from 'node:fs'
import { type Account, accountOf, DATABASE_ACCOUNT } from '../database/embedded/data-directory.ts'

/** The environment variable with the account to switch to: `999:999`. */
const BECOMES = 'CAIRN_APART_ACCOUNT'
/** nobody, which needs no entry, if there is no such account. */
const NOBODY: Account = { uid: 65_534, gid: 65_534 }

/**
 * The environment of a sandboxed process if this one is root: it starts as root, because the account may not be able to
 * read the code.
 */
export function sandboxAccount(): Record<string, string> {
  if (process.getuid?.() !== 0) return {}
  const { uid, gid } = accountOf(DATABASE_ACCOUNT) ?? NOBODY
  return { [BECOMES]: `${uid}:${gid}` }
}

/** What a process loads on first use. */
export type LoadedLater = {
  load: () => Promise<unknown>
  /** All files and folders that it reads; unknown by default. */
  paths?: () => string[]
}

/**
 * In a sandboxed process that was started as root: switches to the account permanently. Before that it loads what the
 * account could not read later. @throws if it cannot switch
 */
export async function dropRoot({ load, paths }: LoadedLater): Promise<void> {
  const account = process.env[BECOMES]
  if (account === undefined) return
  const [uid, gid] = account.split(':').map(Number) as [number, number]
  process.setgroups!([gid])
  if (!paths || !canRead({ uid, gid }, paths())) await load()
  process.setgid!(gid)
  process.setuid!(uid)
}

/** Whether an account may read all of these. Root only. */
function canRead({ uid, gid }: Account, paths: string[]): boolean {
  process.setegid!(gid)
  process.seteuid!(uid)
  try {
    for (const path of paths) closeSync(openSync(path, 'r'))
    return true
  } catch {
    return false
  } finally {
    process.seteuid!(0)
    process.setegid!(0)
  }
}
