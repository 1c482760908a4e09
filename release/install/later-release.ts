import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bareEnvironment } from '../../server/test/process.ts'

/** Where an unpacked release has the package. */
const PACKAGE = 'app/node_modules/cairn-server'
const MIGRATION = '9000_later_release.sql'
/** What the migration leaves in the folder of the database before it waits. */
const MARK = 'in-migration'
/** For what hangs. */
const WAIT_MS = 60_000

const SQL = `-- needs ${MIGRATION}: earlier releases must refuse the database
create table later_release (id bigint primary key);
do $$
begin
  if (pg_stat_file('${MARK}', true)).size is null then
    copy (select 1) to program 'cat > ${MARK}';
    perform pg_sleep(5);
  end if;
end $$;
`

/**
 * Turns an unpacked release into the next one, with a migration that earlier ones do not support. The migration waits
 * when it first runs on a database, so that the service can be killed in it. @returns the version
 */
export function makeLaterRelease(release: string): string {
  const file = join(release, PACKAGE, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const [major, minor] = manifest.version.split('.').map(Number)
  const version = `${major}.${minor + 1}.0`
  // The folder may consist of hard links.
  rmSync(file)
  writeFileSync(file, JSON.stringify({ ...manifest, version }))
  writeFileSync(join(release, PACKAGE, 'server/migrations', MIGRATION), SQL)
  return version
}

/** Starts the later release on this data folder, and kills its process with SIGKILL in the migration. @throws if it ends before */
export async function killInMigration(
  dataDir: string,
  [program, ...words]: string[],
  settings: Record<string, string> = {},
): Promise<void> {
  const child = spawn(program!, words, { env: { ...bareEnvironment(), ...settings }, stdio: 'ignore', detached: true })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  const mark = join(dataDir, 'database', 'postgres', MARK)
  for (const until = Date.now() + WAIT_MS; !existsSync(mark); await sleep(5))
    if (child.exitCode !== null || Date.now() > until) {
      child.kill('SIGKILL')
      throw new Error('The later release did not reach its migration')
    }
  child.kill('SIGKILL')
  await ended
}
