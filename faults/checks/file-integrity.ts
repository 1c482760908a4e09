import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/platform/config.ts'
import { createLog } from '../../server/platform/logging/log.ts'
import type { Findings } from '../row.ts'
import type { TopologySite } from '../sites/topology-site.ts'

/** Compares the objects in a folder with the database. Checked objects are not read again: the content of a key never changes. */
export function wholeFiles(site: TopologySite, wrong: Findings) {
  const folder = join(site.folder, 'shared', 'objects')
  const unfinished = [join(folder, 'partial'), join(site.folder, 'shared', 'resumable')]
  const read = new Set<string>()
  return {
    /** Checks that every record has its object with its size and SHA-256, and that each acknowledged file (id → SHA-256) has its record. */
    async check(acknowledged: Map<number, string>): Promise<void> {
      const rows = await site.sql<{ id: number; key: string; size: number; sha256: string }>(
        'select id, key, size, sha256 from files',
      )
      for (const { key, size, sha256 } of rows.filter(({ key }) => !read.has(key))) {
        const path = join(folder, key)
        const found = await stat(path).catch(() => undefined)
        if (!found) {
          wrong.add('a record without its object', key)
          continue
        }
        const hash = createHash('sha256')
        for await (const chunk of createReadStream(path)) hash.update(chunk)
        if (found.size !== size || hash.digest('hex') !== sha256)
          wrong.add('an object that differs from its record', `${key}: ${found.size} of ${size} bytes`)
        read.add(key)
      }
      const kept = new Map(rows.map(({ id, sha256 }) => [id, sha256]))
      for (const [id, sha256] of acknowledged)
        if (kept.get(id) !== sha256) wrong.add('acknowledged file lost', `file ${id}: ${kept.get(id)}`)
    },

    /** Checks that incomplete objects were deleted at the start. */
    async partials(): Promise<number> {
      return (await readdir(join(folder, 'partial')).catch(() => [])).length
    },

    /** Waits up to half a minute until that many bytes are incomplete. */
    async underWay(bytes: number): Promise<void> {
      for (let i = 0; i < 15_000; i++) {
        const sizes = await Promise.all(unfinished.map(bytesIn))
        if (sizes.reduce((sum, size) => sum + size, 0) >= bytes) return
        await sleep(2)
      }
    },

    /** Ends the service and runs the sweeper as if an hour had passed: then the objects are exactly those of records. @returns the number of orphans */
    async sweep(): Promise<number> {
      await site.apis[0]!.term()
      const config = readConfig(await site.settingsOf(0), '')
      const parts = { config, databaseUrl: config.CAIRN_DATABASE_URL!, secret: config.CAIRN_SECRET! }
      const app = await createApp({ ...parts, log: createLog('silent') })
      try {
        const before = await keysOf(app)
        await app.removeOrphans({ olderThanMs: 0 })
        const after = await keysOf(app)
        const named = await site.sql<{ key: string }>('select key from files')
        for (const { key } of named)
          if (!after.includes(key)) wrong.add('the sweeper deleted an object with a record', key)
        if (after.length !== named.length)
          wrong.add('orphans stayed', `${after.length} objects, ${named.length} records`)
        return before.length - after.length
      } finally {
        await app.close()
      }
    },
  }
}

async function keysOf(app: Awaited<ReturnType<typeof createApp>>): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of app.objects.list()) keys.push(key)
  return keys
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const sizes = names.map((name) =>
    stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
