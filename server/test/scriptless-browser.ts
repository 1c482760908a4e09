export type Seen = { url: string; status: number; headers: Headers; html: string }
type Cookie = { name: string; value: string; path: string }

/** A browser without scripts: keeps cookies, follows redirects, submits forms.
 * @param stopAt a foreign URL where redirects stop
 * @param headers sent with every request, e.g. as by a proxy
 * @param via the actual address of a host */
export function visitor({
  stopAt = 'http://127.0.0.1:1/',
  headers: own = {} as Record<string, string>,
  via = (url: URL) => url,
} = {}) {
  let cookies: Cookie[] = []
  let page: Seen | undefined

  const keep = (headers: Headers, from: URL) => {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? from.pathname
      cookies = cookies.filter((one) => one.name !== name || one.path !== path)
      const isOver = /;\s*max-age=0/i.test(line) || /expires=Thu, 01 Jan 1970/i.test(line)
      if (!isOver) cookies.push({ name, value, path })
    }
  }
  const cookiesFor = ({ pathname }: URL) =>
    cookies
      .filter(({ path }) => pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')

  /** Opens a URL, or submits a form to it, and follows redirects to a page. */
  async function open(address: string | URL, form?: Record<string, string>): Promise<Seen> {
    let url = new URL(address)
    let body = form && new URLSearchParams(form)
    for (let step = 0; step < 12; step++) {
      if (url.href.startsWith(stopAt)) {
        page = { url: url.href, status: 0, headers: new Headers(), html: '' }
        return page
      }
      const answer = await fetch(via(url), {
        method: body ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { cookie: cookiesFor(url), accept: 'text/html', ...own },
        ...(body ? { body } : {}),
      })
      keep(answer.headers, url)
      const location = answer.headers.get('location')
      const html = await answer.text()
      if (!location) {
        page = { url: url.href, status: answer.status, headers: answer.headers, html }
        return page
      }
      url = new URL(location, url)
      body = undefined
    }
    throw new Error('Redirected without end')
  }

  return {
    open,
    /** Fills in the form of the page and submits it. */
    async submit(fields: Record<string, string> = {}): Promise<Seen> {
      const { html, url } = page!
      const [, action] = /<form[^>]* action="([^"]+)"/.exec(html) ?? []
      const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
      return open(new URL(action ?? url, url), { ...Object.fromEntries(hidden.map(([, n, v]) => [n, v])), ...fields })
    },
    page: (): Seen => page!,
    /** The cookies, for inspection and changes. */
    cookies: () => cookies,
    forgetCookies: (name: RegExp) => {
      cookies = cookies.filter((cookie) => !name.test(cookie.name))
    },
  }
}
export type Visitor = ReturnType<typeof visitor>

/** The text of the element with this ID, unescaped. */
export function textOf({ html }: Seen, id: string): string {
  const [, text = ''] = new RegExp(`id="${id}"[^>]*>([\\s\\S]*?)</`).exec(html) ?? []
  return text
    .replace(/<[^>]+>/g, '')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
}
