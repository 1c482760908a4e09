/** Text that is HTML already. */
export type Html = { html: string }

/** HTML from a template: what is put in is escaped, unless it is Html itself. */
export function html(texts: TemplateStringsArray, ...values: (string | Html | Html[] | undefined)[]): Html {
  return { html: texts.map((text, i) => text + inserted(values[i])).join('') }
}

function inserted(value: string | Html | Html[] | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return escaped(value)
  return [value]
    .flat()
    .map((part) => part.html)
    .join('')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!)
