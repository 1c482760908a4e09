/** The tags of heights without a prefix, those of extensions, and the texts that are no tags. */
const TOKEN =
  /<!--|<!\[CDATA\[|<(?<close>\/)?(?:\w{1,40}:)?extensions(?:\s[^<>]{0,200})?\/?>|<\/?(?:ele|geoidheight)(?=[\s/>])/g
const UNDERSCORE = 0x5f

/**
 * Renames `ele` and `geoidheight` of extensions without a namespace, which GDAL would take for the heights of the point:
 * their first letter becomes an underscore, so that every other byte stays in its place.
 * @returns the file itself if it has none
 */
export function withoutExtensionHeights(file: Buffer): Buffer {
  const text = file.toString('latin1')
  const token = new RegExp(TOKEN)
  let renamed: Buffer | undefined
  let depth = 0
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [whole] = found
    if (whole === '<!--' || whole === '<![CDATA[') {
      const end = text.indexOf(whole === '<!--' ? '-->' : ']]>', found.index)
      if (end < 0) break
      token.lastIndex = end
    } else if (whole.endsWith('>')) {
      if (!whole.endsWith('/>')) depth = found.groups!.close ? Math.max(0, depth - 1) : depth + 1
    } else if (depth > 0) {
      renamed ??= Buffer.from(file)
      renamed[found.index + (whole[1] === '/' ? 2 : 1)] = UNDERSCORE
    }
  }
  return renamed ?? file
}
