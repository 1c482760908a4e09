import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedDatabase } from '../../server/platform/database/embedded/embedded-database.ts'

/**
 * Runs the embedded PostgreSQL in a temporary folder; removed after `use`.
 * @param settings of PostgreSQL, added to the defaults
 */
export async function withTemporaryPostgres<T>(
  settings: Record<string, string>,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
  chmodSync(folder, 0o755)
  const box = await openEmbeddedDatabase({ dataDir: folder, settings })
  try {
    return await use(box.url)
  } finally {
    await box.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
