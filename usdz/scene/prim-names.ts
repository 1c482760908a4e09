/** Letters that Unicode does not take apart into a base letter and an accent. */
const transliterations = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['Æ', 'AE'],
  ['œ', 'oe'],
  ['Œ', 'OE'],
  ['ø', 'o'],
  ['Ø', 'O'],
  ['đ', 'd'],
  ['Đ', 'D'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
  ['Ł', 'L'],
  ['ı', 'i'],
])

const maxLength = 100

/**
 * A legal USD prim name ([A-Za-z_][A-Za-z0-9_]*) that still says what the given one said: accents go ("Türgriff" →
 * "Turgriff"), other scripts become code points ("椅子" → "u6905_u5B50"), the rest becomes underscores.
 */
export function legalName(name: string, fallback: string): string {
  let legal = ''
  for (const character of name.normalize('NFKD').slice(0, maxLength)) {
    if (/[A-Za-z0-9_]/.test(character)) legal += character
    else if (transliterations.has(character)) legal += transliterations.get(character)
    else if (/\p{M}/u.test(character)) continue
    else if (/[\p{L}\p{N}]/u.test(character)) {
      legal += `${legal === '' || legal.endsWith('_') ? '' : '_'}u${character.codePointAt(0)!.toString(16).toUpperCase()}`
    } else legal += '_'
  }
  legal = legal.replace(/_+/g, '_').replace(/^_+$/, '').slice(0, maxLength)
  if (legal === '') return fallback
  return /^[0-9]/.test(legal) ? `_${legal}` : legal
}

/**
 * Gives names out once: a second "Wheel" becomes "Wheel_1". USD compares names exactly, files on some disks do not.
 * @param avoided names, in small letters, that are given out elsewhere.
 */
export function uniqueNames(avoided: ReadonlySet<string> = new Set()) {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  const isTaken = (name: string) => taken.has(name) || avoided.has(name)
  return (name: string, fallback: string): string => {
    const base = legalName(name, fallback)
    let candidate = base
    for (let n = next.get(base) ?? 1; isTaken(candidate.toLowerCase()); n++) {
      candidate = `${base}_${n}`
      next.set(base, n + 1)
    }
    taken.add(candidate.toLowerCase())
    return candidate
  }
}
export type UniqueNames = ReturnType<typeof uniqueNames>
