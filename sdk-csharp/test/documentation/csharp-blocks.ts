import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The C# programs of the documentation, by file and number. */
export function csharpBlocks(): [where: string, code: string][] {
  const pages = [...globSync('docs/*.md', { cwd: root }).sort(), 'README.md', 'sdk-csharp/README.md']
  return pages.flatMap((page) =>
    [...readFileSync(`${root}/${page}`, 'utf8').matchAll(/^```csharp\n(.*?)^```/gms)].map(
      ([, code], at): [string, string] => [`${page}, program ${at + 1}`, code!],
    ),
  )
}

const USED = ['System', 'System.Threading', 'Cairn', 'Cairn.Unity', 'UnityEngine']

/** A file that compiles if the program does: statements become the body of a method that knows the names of Presumed.cs. */
export function compilationUnit(code: string): string {
  const uses = [...USED, ...[...code.matchAll(/^using ([\w.]+);\n/gm)].map(([, name]) => name!)]
  const head = [...new Set(uses)].map((name) => `using ${name};\n`).join('')
  const body = withoutForeach(code.replace(/^using [\w.]+;\n/gm, ''))
  if (/^(public |sealed )*class /m.test(body)) return head + body
  return `${head}class Documented : Presumed\n{\n    async System.Threading.Tasks.Task RunAsync()\n    {\n${body}\n        await System.Threading.Tasks.Task.FromResult(true);\n    }\n}\n`
}

const FOREACH = /await foreach \(var (\w+) in /

/** Mono's compiler has no `await foreach`: this is what C# 8 makes of it. The loop has one statement without braces. */
function withoutForeach(code: string): string {
  const found = FOREACH.exec(code)
  if (!found) return code
  const start = found.index + found[0].length
  const end = closingParenthesis(code, start)
  const statement = code.indexOf(';', end) + 1
  const read = `{ var each = (${code.slice(start, end)}).GetAsyncEnumerator(); while (await each.MoveNextAsync()) { var ${found[1]} = each.Current; ${code.slice(end + 1, statement)} } }`
  return code.slice(0, found.index) + read + withoutForeach(code.slice(statement))
}

function closingParenthesis(code: string, from: number): number {
  for (let at = from, depth = 1; at < code.length; at++) {
    if (code[at] === '(') depth++
    if (code[at] === ')' && --depth === 0) return at
  }
  throw new Error(`There is no closing parenthesis after ${code.slice(from - 30, from)}`)
}
