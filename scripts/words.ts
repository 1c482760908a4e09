import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Words that readers stumble over, and what to write instead. */
const AVOIDED: [word: RegExp, instead: string][] = [
  [/\btold\b|\btells? of\b/i, '"listed", "says", "reports"'],
  [/\bwho(so)?ever\b/i, '"anyone who", "the caller"'],
  [/\b(every|some|any)body\b/i, '"everyone", "a user", "anyone"'],
  [/\bstrangers\b/i, '"callers without a credential", "other users"'],
  [/\b(becomes?|became|comes?|came) of\b|\bfares\b|\bbefall/i, '"the result", "the state"'],
  [/\b(processes|process) apart\b/i, '"sandboxed process"'],
  [/\bthe box('s|’s)|\bat the box\b|\ba new box\b/i, '"bundled", "local", "the service"'],
  [/\bgood (key|credential|session|token)\b/i, '"valid"'],
  [/\bso many\b/i, 'a number, or "at most"'],
  [/\banew\b/i, '"again"'],
  [/\b(go|goes|went|going) on\b/i, '"continue", "resume"'],
  [/\bfor good\b/i, '"permanently"'],
  [/\bmends?\b/i, '"correct", "repair"'],
  [/\bhands? out\b/i, '"issues", "returns"'],
  [/\bvouch/i, '"untrusted"'],
  [/\blie(s)? about\b/i, '"is stored"'],
  [/\bbelieved\b/i, '"trusted"'],
  [/^(<{7}|={7}|>{7})( |$)/, 'the result of the merge'],
]
/** Pages a script writes from elsewhere: their words are held where they come from. */
const GENERATED = ['docs/data-model.md']
const MARKED = /<!-- (?:written by|results).*?<!-- end of .*?-->/gs
/** Code, addresses, and names quoted as they are. */
const QUOTED = /```.*?```|`[^`\n]*`|\]\([^)\n]*\)|"[^"\n]*"/gs

const root = join(import.meta.dirname, '..')
const blank = (text: string) => text.replace(/[^\n]/g, ' ')

/** Each avoided word in a page, as `file:line: word`, with what to write instead. */
function findings(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const plain = text.replace(MARKED, blank)
  const prose = file.endsWith('.md')
    ? plain.replace(QUOTED, blank)
    : plain.replace(/^(?! *"(description|summary)": ).*$/gm, '')
  return prose.split('\n').flatMap((line, at) =>
    AVOIDED.flatMap(([word, instead]) => {
      const found = word.exec(line)
      return found ? [`${file}:${at + 1}: "${found[0]}": write ${instead}`] : []
    }),
  )
}

const pages = [
  ...globSync('docs/*.md', { cwd: root }),
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'openapi.json',
]
const found = pages.filter((page) => !GENERATED.includes(page)).flatMap(findings)
if (found.length > 0) console.error(found.join('\n'))
process.exitCode = found.length > 0 ? 1 : 0
