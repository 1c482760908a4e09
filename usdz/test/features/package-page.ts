/** The sections of docs/models.md that the package has too. */
const sections = ['USDZ to GLB', 'What MaterialX carries', 'What is carried over, and how exactly']

/**
 * Makes the page features.md of the package out of docs/models.md, which is not in the package: the same words, without
 * pictures.
 */
export function packagePage(models: string): string {
  const text = sections.map((title) => sectionOf(models, title)).join('\n\n')
  const page = text
    .replaceAll(/^<!--.*-->\n+/gm, '')
    .replaceAll(/ \| (?:Source, result|!\[source and result\]\(.*?\)) \|$/gm, ' |')
    .replaceAll(/^(\| --- \| --- \| --- \| --- \|) --- \|$/gm, '$1')
  return `# What the package carries\n\n<!-- written from docs/models.md by usdz/test/features/write-docs.ts -->\n\n${page}\n`
}

/** A section with those below it, as one of the second level. */
function sectionOf(page: string, title: string): string {
  const [heading, marks] = new RegExp(`^(#+) ${title}$`, 'm').exec(page) ?? []
  if (!heading) throw new Error(`docs/models.md has no section "${title}"`)
  const after = page.slice(page.indexOf(`${heading}\n`) + heading.length)
  const end = after.search(new RegExp(`^#{1,${marks!.length}} `, 'm'))
  return `## ${title}${(end < 0 ? after : after.slice(0, end)).trimEnd()}`
}
