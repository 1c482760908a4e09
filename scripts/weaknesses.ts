import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Asks the configured registry for known vulnerabilities of installed packages (`npm audit`) and fails for those
 * without an entry below. Mirrors without audit data are reported, and nothing fails.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const WAIT_MS = 20_000

/**
 * Vulnerabilities that cannot be reached through Cairn, by URL, with the reason: the use of the package decides, not
 * the score.
 */
const weighed: Record<string, string> = {}

type Advisory = { url: string; title: string; severity: string }
type Answer = { message?: string; vulnerabilities?: Record<string, { via: (Advisory | string)[] }> }

/** @returns the vulnerabilities, one per line, or why the registry could not be asked */
export async function weaknesses(registry?: string): Promise<{ weak: string[] } | { notAsked: string }> {
  const args = ['audit', '--json', '--omit=dev', '--fetch-retries=0', `--fetch-timeout=${WAIT_MS}`]
  // The exit code is 1 for vulnerabilities and for errors: the output tells which.
  const [stdout, complaint] = await new Promise<[string, string]>((resolve) =>
    execFile(
      'npm',
      registry ? [...args, `--registry=${registry}`] : args,
      { cwd: ROOT, timeout: 3 * WAIT_MS, maxBuffer: 1 << 28 },
      (_, out, err) => resolve([out, err]),
    ),
  )
  const answer = answerIn(stdout) ?? { message: complaint.trim() }
  if (!answer.vulnerabilities) return { notAsked: answer.message || 'no answer' }
  const lines = Object.entries(answer.vulnerabilities).flatMap(([name, { via }]) =>
    via
      // A name refers to another package, which has its own entry.
      .filter((one): one is Advisory => typeof one !== 'string' && one.severity !== 'low' && one.severity !== 'info')
      .filter(({ url }) => !(url in weighed))
      .map(({ severity, title, url }) => `${name}: ${severity}: ${title} (${url})`),
  )
  return { weak: lines }
}

/** Empty when the command was interrupted. */
function answerIn(stdout: string): Answer | undefined {
  try {
    return JSON.parse(stdout)
  } catch {
    return undefined
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = await weaknesses()
  if ('notAsked' in found) console.log(`not asked: ${found.notAsked.split('\n')[0]}`)
  else if (found.weak.length === 0) console.log('ok')
  else {
    console.log(`FAILED\n${found.weak.join('\n')}`)
    process.exitCode = 1
  }
}
