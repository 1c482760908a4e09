import { messages } from '../../messages/index.ts'

const texts = messages.imports.columns
/** The fields of the Columns step, by the parameters of the API that they set. */
const FIELDS: Record<string, string> = {
  crs: texts.system,
  heightDatum: texts.heightDatum,
  angles: texts.angles,
  layer: texts.layer,
  maxError: texts.maxError,
}
const PARAMETER = new RegExp(`\\b(${Object.keys(FIELDS).join('|')})=([\\w.:+-]*\\w)?`, 'g')

/** Formats a message of the service as a sentence in the language of the console, with a capital and a full stop, and with the fields of the console instead of parameters. */
export function asSentence(message: string | null): string {
  if (message === null) return ''
  const text = messages.imports.findings.said(message)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`.replace(
    PARAMETER,
    (_, parameter: string, value = '') => texts.field(FIELDS[parameter]!, kindOf(value)),
  )
}

const kindOf = (value: string) => (texts.anglesKinds as Record<string, string>)[value] ?? value
