/** Trusted HTML, inserted unescaped. */
export type Html = { html: string }

/** Builds HTML from a template; inserted values are escaped unless they are Html. */
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
