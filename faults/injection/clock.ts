import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../../server/test/process.ts'
import { requirePrograms } from '../../server/test/programs/debian-packages.ts'

/** Settings for a process whose clock can be set while it runs, by Debian's libfaketime, and what sets it. Only the clock of the day: no machine sets the one that counts from its start. */
export async function settableClock() {
  requirePrograms('/usr/bin/faketime')
  const folder = await newFolder()
  const file = join(folder, 'offset')
  /** @param seconds before the right time; less than 0 is behind it */
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

/** Each processor has its own folder under /usr/lib. */
function library(): string {
  const name = join('faketime', 'libfaketimeMT.so.1')
  for (const folder of readdirSync('/usr/lib', { withFileTypes: true }))
    if (folder.isDirectory() && readdirSync(join('/usr/lib', folder.name)).includes('faketime'))
      return join('/usr/lib', folder.name, name)
  throw new Error(`There is no ${name} under /usr/lib`)
}
