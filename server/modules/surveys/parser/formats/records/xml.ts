import { SaxesParser } from 'saxes'
import { SurveyFileError } from '../../errors.ts'
import { truncate } from '../../truncate.ts'
import { paced } from '../delimited/slices.ts'

/** An element: its local name, its first line, and once it is closed, its own text; of a long one, that after its last child. */
export type XmlElement = {
  name: string
  parent: XmlElement | undefined
  attributes: Record<string, string>
  line: number
  text: string
}

/** The format's handlers of elements. `readXml` yields what they return, in order. */
export type XmlVisitor<T> = {
  opened?: (element: XmlElement) => T | undefined
  closed?: (element: XmlElement) => T | undefined
}

const MAX_DEPTH = 64
/** Maximum length of a tag, and of a text between two tags. */
const MAX_TAG = 64 * 1024
const MAX_TEXT = 4 * 1024 * 1024
/** Maximum length of a text that is kept before a child, as that of a point before its features. */
const MAX_BEFORE = 1000
/** Maximum parts of a text: comments and CDATA sections divide it. */
const MAX_PARTS = 1000

/**
 * Streams XML through a visitor, and holds only the ancestors of the current element.
 * Reads no external entities: a document type with entities is refused, and an undeclared entity is an error.
 * @throws SurveyFileError NOT_WELL_FORMED with the line, after everything before it was yielded
 */
export async function* readXml<T>(
  text: AsyncIterable<string>,
  visitor: XmlVisitor<T>,
): AsyncGenerator<T, void, undefined> {
  const parser = new SaxesParser({ position: true })
  let results: T[] = []
  let failure: SurveyFileError | undefined
  let current: XmlElement | undefined
  let depth = 0
  let held = 0
  let inTag = false
  let parts = 0
  let tagLine = 1

  const fail = (message: string, line = parser.line) => {
    failure ??= new SurveyFileError('NOT_WELL_FORMED', `line ${line}: ${message}`, line)
  }
  const give = (result: T | undefined) => {
    if (result !== undefined && !failure) results.push(result)
  }
  const moved = () => {
    held = 0
  }
  parser.on('error', ({ message }) =>
    fail(`the XML is not well-formed (${truncate(message.replace(/^[\d:]{1,20} ?/, ''), 120).replace(/\.$/, '')})`),
  )
  parser.on('doctype', (doctype) => {
    moved()
    if (/<!ENTITY/i.test(doctype))
      fail('the file declares XML entities, which are not read: save it without a document type')
  })
  parser.on('comment', moved)
  parser.on('processinginstruction', moved)
  parser.on('opentagstart', () => {
    moved()
    inTag = true
    tagLine = parser.line
  })
  parser.on('opentag', ({ name, attributes }) => {
    moved()
    inTag = false
    if (++depth > MAX_DEPTH) fail(`elements are nested more than ${MAX_DEPTH} deep`)
    if (failure) return
    if (current && current.text.length > MAX_BEFORE) current.text = ''
    parts = 0
    const element = {
      name: localName(name),
      parent: current,
      attributes: attributes as Record<string, string>,
      line: tagLine,
      text: '',
    }
    current = element
    give(visitor.opened?.(element))
  })
  const addText = (part: string) => {
    moved()
    if (failure || !current || part.trim() === '') return
    if (current.text.length + part.length > MAX_TEXT) fail('a text is longer than 4 MiB')
    else if (++parts > MAX_PARTS) fail(`a text is divided into more than ${MAX_PARTS} parts`)
    else current.text += part
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    moved()
    depth--
    if (failure || !current) return
    give(visitor.closed?.(current))
    current = current.parent
  })

  const taken = () => {
    const some = results
    results = []
    return some
  }
  for await (const piece of paced(text, 1, Number.POSITIVE_INFINITY)) {
    held += piece.length
    parser.write(piece)
    yield* taken()
    if (held > (inTag ? MAX_TAG : MAX_TEXT)) fail(`a ${inTag ? 'tag' : 'text'} has no end`, tagLine)
    if (failure) throw failure
  }
  parser.close()
  yield* taken()
  if (failure) throw failure
}

/** Whether an element is inside others of these names, nearest first. */
export const isIn = (element: XmlElement, ...names: string[]): boolean => {
  let at = element.parent
  for (const name of names) {
    if (at?.name !== name) return false
    at = at.parent
  }
  return true
}

/** The name of the root element, from the start of a file; undefined if it is not XML. */
export function rootName(text: string): string | undefined {
  const start = text.slice(0, 4096)
  if (!/^\s{0,100}</.test(start)) return undefined
  return /<([A-Za-z_][\w.-]{0,60}:)?([A-Za-z_][\w.-]{0,60})[\s/>]/.exec(
    start.replace(/<!--[\s\S]{0,3000}?-->/g, ''),
  )?.[2]
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
