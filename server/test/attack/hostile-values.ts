/** A piece of raw JSON text that no JavaScript value represents. */
export class Verbatim {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** JSON text of a value; raw pieces are inserted unchanged. */
export function jsonOf(value: unknown): string {
  const pieces: string[] = []
  const text = JSON.stringify(value, (_name, member) => {
    if (!(member instanceof Verbatim)) return member
    return `verbatim ${pieces.push(member.text) - 1}`
  })
  return text.replace(/"verbatim (\d+)"/g, (_all, at: string) => pieces[Number(at)]!)
}

/** Texts that break careless code. */
export const oddTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'half \udfff pair',
  '\u202egnp.exe',
  '\ufeff',
  '\u{1f4a9}'.repeat(200),
  'e\u0301'.repeat(100),
  'ß'.repeat(255),
  '١٢٣',
  '-1',
  '1e999',
  'NaN',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  "' or 1=1--",
  '"; drop table players; --',
  '%27%20or%201=1',
  '$1',
  '{{7*7}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is an attack string.
  '${jndi:ldap://127.0.0.1/a}',
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  '..\\..\\win.ini',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://127.0.0.1:5432/',
  'http://169.254.169.254/latest/meta-data/',
  '//evil.example/',
  '\r\nx-injected: yes',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '0000-01-01T00:00:00Z',
  'x'.repeat(300),
  'x'.repeat(70_000),
]

/** Raw JSON texts, most of which JavaScript would not write. */
export const oddJson = [
  'null',
  'true',
  '[]',
  '{}',
  '[[[]]]',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '123456789012345678901234567890',
  'NaN',
  'Infinity',
  '0x10',
  '01',
  "'single'",
  '"\\ud800"',
  '"\\u0000"',
  '"unended',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"toString":1,"length":1e9}',
  `${'['.repeat(200)}${']'.repeat(200)}`,
  `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`,
  `[${'0,'.repeat(20_000)}0]`,
]

/** Values in place of an ID, percent-encoded or deliberately not. */
export const oddSegments = [
  '%00',
  '%ff',
  '%zz',
  '%',
  '%2e%2e',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%5c..',
  '%252e%252e%252f',
  '%2F',
  '%c0%ae%c0%ae',
  '%u002e',
  '%20',
  '%0d%0ax-injected:%20yes',
  '0',
  '-1',
  '1.0',
  '1e3',
  '0x1',
  '+1',
  '9007199254740991',
  '9007199254740993',
  '99999999999999999999999',
  '%D9%A1',
  'NaN',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  '*',
  '$',
  ';a=b',
  "'%20or%201=1--",
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  'x'.repeat(3000),
]

export const oddContentTypes = [
  'APPLICATION/JSON',
  'application/json ; charset=utf-8',
  'application/json\t',
  ' application/json',
  'application/json;charset=utf-16',
  'application/json, text/html',
  'application/json;',
  'application/jsonx',
  'application/vnd.api+json',
  'text/plain',
  'text/html',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/xml',
  'application/json\u00e9',
  '/',
  '',
]
