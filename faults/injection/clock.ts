import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../../server/test/process.ts'
import { requirePrograms } from '../../server/test/programs/debian-packages.ts'

/** Settings of a process whose clock can be changed at run time by Debian's libfaketime, and the function that changes it. Only the wall clock changes, not the monotonic one. */
export async function settableClock() {
  requirePrograms('/usr/bin/faketime')
  const folder = await newFolder()
  const file = join(folder, 'offset')
  /** @param seconds offset from the right time; negative is behind */
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s`)
  set(0)
  return {
    folder,
    settings: {
      LD_PRELOAD: library(),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
  }
}

/** Each architecture has its own folder under /usr/lib. */
function library(): string {
  const name = join('faketime', 'libfaketimeMT.so.1')
  for (const folder of readdirSync('/usr/lib', { withFileTypes: true }))
    if (folder.isDirectory() && readdirSync(join('/usr/lib', folder.name)).includes('faketime'))
      return join('/usr/lib', folder.name, name)
  throw new Error(`There is no ${name} under /usr/lib`)
}
