/** Control characters and bidirectional marks: with the latter `gpj.exe` can appear as `exe.jpg`. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu
const LONGEST = 255

/**
 * Cleans a file name for display: no folders, nothing invisible, at most 255 characters. It is never part of a path.
 */
export function displayName(given: string | undefined): string {
  const name = (given ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(UNSEEN, '')
    .replace(/^.*[\\/]/s, '')
    .trim()
  if (name === '' || name === '.' || name === '..') return 'file'
  return shortened(name)
}

/** The name with another extension: `chair.glb` → `chair.usdz`. */
export function renamed(name: string, extension: string): string {
  return shortened(`${name.replace(/\.[^.]*$/, '') || 'file'}.${extension}`)
}

/** Shortens the middle, so that the extension stays. */
function shortened(name: string): string {
  const letters = [...name]
  if (letters.length <= LONGEST) return name
  const dot = letters.lastIndexOf('.')
  const ending = dot > 0 && letters.length - dot <= 16 ? letters.slice(dot) : []
  return [...letters.slice(0, LONGEST - ending.length), ...ending].join('')
}

/** A Content-Disposition (RFC 6266): an ASCII name for old clients, the real one in UTF-8 (RFC 8187). */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${exact}`
}
