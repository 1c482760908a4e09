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

/**
 * In a sandboxed process that was started as root: loads what it would load later, and switches to the account
 * permanently. @throws if it cannot
 */
export async function dropRoot(loadAhead: () => Promise<unknown>): Promise<void> {
  const account = process.env[BECOMES]
  if (account === undefined) return
  await loadAhead()
  const [uid, gid] = account.split(':').map(Number) as [number, number]
  process.setgroups!([gid])
  process.setgid!(gid)
  process.setuid!(uid)
}
