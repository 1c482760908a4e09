/**
 * The section of a version in a changelog of the form Keep a Changelog, without its heading. @returns undefined if there
 * is none, or if it is empty
 */
export function sectionOf(changelog: string, version: string): string | undefined {
  const lines = changelog.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`## [${version}]`))
  if (start < 0) return undefined
  const rest = lines.slice(start + 1)
  // The next version, or the links at the end.
  const end = rest.findIndex((line) => /^## |^\[[^\]]+\]: /.test(line))
  const text = (end < 0 ? rest : rest.slice(0, end)).join('\n').trim()
  return text === '' ? undefined : text
}
