import { type Account, accountOf, DATABASE_ACCOUNT } from '../database/embedded/data-directory.ts'

/** The name in a process's environment under which the account is that it has to become: `999:999`. */
const BECOMES = 'CAIRN_APART_ACCOUNT'
/** Where there is no account of that name: nobody's, which needs no entry. */
const NOBODY: Account = { uid: 65_534, gid: 65_534 }

/** What is handed to a process apart where this one is root: it must be started as root, for that account may not be able to read the code. */
export function sandboxAccount(): Record<string, string> {
  if (process.getuid?.() !== 0) return {}
  const { uid, gid } = accountOf(DATABASE_ACCOUNT) ?? NOBODY
  return { [BECOMES]: `${uid}:${gid}` }
}

/** In a process apart that was started as root: loads what it would load later, and becomes the account for good. @throws when it cannot */
export async function dropRoot(loadAhead: () => Promise<unknown>): Promise<void> {
  const account = process.env[BECOMES]
  if (account === undefined) return
  await loadAhead()
  const [uid, gid] = account.split(':').map(Number) as [number, number]
  process.setgroups!([gid])
  process.setgid!(gid)
  process.setuid!(uid)
}
