import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lists the links of a Markdown page to files and headings that do not exist. */
export function deadLinks(page: string): string[] {
  const targets = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false
    const [path, anchor] = target.split('#') as [string, string?]
    const file = path ? join(page, '..', path) : page
    return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor))
  })
}

/** The anchors of headings, as GitHub makes them. */
const anchorsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  )
