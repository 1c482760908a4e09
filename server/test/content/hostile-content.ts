import { deflateSync } from 'node:zlib'

/** Content that an attacker hopes a browser runs as a page of the service. */
export type HostileContent = { what: string; name: string; type: string; bytes: Buffer }

const SCRIPT = '<script>document.title = "taken over"</script>'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(1)">${SCRIPT}</svg>`
const HTML = `<!doctype html><html><body>${SCRIPT}</body></html>`
const JPEG_MARK = Buffer.from([0xff, 0xd8, 0xff, 0xe0])
const PNG_MARK = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const content = (what: string, bytes: string | Buffer, name = 'file', type = 'application/octet-stream') => ({
  what,
  name,
  type,
  bytes: Buffer.from(bytes),
})

/** A file that is an HTML page for a reader that ignores its first bytes. */
const posing = (what: string, mark: string | Buffer, name: string, type: string) =>
  content(what, Buffer.concat([Buffer.from(mark), Buffer.from(HTML)]), name, type)

/** Content with a script, by its actual and declared type. Any client can send these names. */
export const hostileContent: HostileContent[] = [
  content('SVG', SVG, 'x.svg', 'image/svg+xml'),
  content('SVG after an XML declaration', `<?xml version="1.0"?>\n${SVG}`, 'x.svg', 'image/svg+xml'),
  content('SVG that is named as a PNG', SVG, 'x.png', 'image/png'),
  content('compressed SVG', deflateSync(SVG), 'x.svgz', 'image/svg+xml'),
  content('HTML', HTML, 'x.html', 'text/html'),
  content('HTML with a charset', HTML, 'x.html', 'text/html; charset=utf-7'),
  content('HTML that is named as a JPEG', HTML, 'x.jpg', 'image/jpeg'),
  content('HTML after spaces', `${' '.repeat(2000)}${HTML}`, 'x.txt', 'text/plain'),
  content('HTML after a byte order mark', `\ufeff${HTML}`, 'x', 'text/html'),
  content('HTML in UTF-16', Buffer.from(`\ufeff${HTML}`, 'utf16le'), 'x.html', 'text/html; charset=utf-16'),
  content('XHTML', `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`, 'x.xhtml'),
  content('XML with a style sheet', '<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><a/>', 'x.xml', 'text/xml'),
  content('MHTML', `MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${HTML}`, 'x.mht', 'message/rfc822'),
  content('PDF with JavaScript', '%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj', 'x.pdf'),
  content('JavaScript', 'alert(1)', 'x.js', 'text/javascript'),
  content('a web manifest', '{"start_url":"/"}', 'x.webmanifest', 'application/manifest+json'),
  content('Flash', 'FWS\x09\x00\x00\x00\x00', 'crossdomain.swf', 'application/x-shockwave-flash'),
  posing('GIF and HTML', 'GIF89a', 'x.gif', 'image/gif'),
  content('GIF and JavaScript', 'GIF89a/*\x01\x00\x01\x00*/=1;alert(1)', 'x.gif', 'image/gif'),
  posing('JPEG and HTML', JPEG_MARK, 'x.jpg', 'image/jpeg'),
  posing('PNG and HTML', PNG_MARK, 'x.png', 'image/png'),
  posing('WebP and HTML', 'RIFF\x24\0\0\0WEBPVP8 ', 'x.webp', 'image/webp'),
  posing('HEIC and HTML', '\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'x.heic', 'image/heic'),
  posing('MP4 and HTML', '\0\0\0\x18ftypisom\0\0\0\0isommp42', 'x.mp4', 'video/mp4'),
  posing('GLB and HTML', 'glTF\x02\0\0\0\xff\0\0\0', 'x.bin', 'model/gltf-binary'),
  posing('ZIP and HTML', 'PK\x03\x04', 'x.usdz', 'model/vnd.usdz+zip'),
  posing('saved world and HTML', 'bplist00$archiver', 'x.worldmap', 'text/html'),
  content('HTML that is named as a saved world', HTML, 'x.arworld', 'text/html'),
]

/** Declared types that try to inject a header or another type into a response. Sent as raw bytes, as no client would. */
export const hostileTypes = [
  'text/html',
  'text/html; charset=utf-8',
  'image/svg+xml',
  'image/png\r\nx-injected: yes',
  'image/png, text/html',
  'multipart/x-mixed-replace; boundary=x',
  '',
  'x'.repeat(4000),
]

/** Names that try to end a header, to leave a folder or to look like another. Sent as raw bytes. */
export const hostileNames = [
  'x.svg',
  'x.html',
  'photo.png.html',
  'photo\u202egpj.exe',
  'photo\u0000.html',
  'a%0d%0ax-injected: yes.png',
  'a%22; filename=%22x.html',
  "a'; filename*=UTF-8''x.html",
  '../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '<img src=x onerror=alert(1)>.png',
  '\u{1f4f7}'.repeat(300),
  ' ',
]

/** Checks that a browser does not run a file as a page, by its response headers. @returns the faults */
export function dangersIn(headers: Headers): string[] {
  const type = headers.get('content-type') ?? ''
  const policy = headers.get('content-security-policy') ?? ''
  const disposition = headers.get('content-disposition') ?? ''
  const isMedia = /^(image\/(?!svg)|video\/|audio\/|model\/)[\w.+-]+$/.test(type)
  return [
    ...(headers.get('x-content-type-options') === 'nosniff' ? [] : ['content sniffing is possible']),
    ...(/(^|;)\s*sandbox\s*(;|$)/.test(policy) ? [] : ['it is not in a sandbox']),
    ...(isMedia || type === 'application/octet-stream' || disposition.startsWith('attachment;')
      ? []
      : [`it is shown as ${type}`]),
    ...(isMedia || disposition.startsWith('attachment;') ? [] : ['it is not a download']),
    ...(headers.has('x-injected') ? ['a header was injected'] : []),
    ...(/^(inline|attachment); filename="[^"\\]*"; filename\*=UTF-8''[\w.!#$&+^`|~%-]*$/.test(disposition)
      ? []
      : [`its name ends a header: ${disposition}`]),
  ]
}
