/** What misleads users of a screen reader: no or several titles, a title that a panel repeats, landmarks with the same name, tables without a name. */
export function misnamed(): string[] {
  const LANDMARKS: Record<string, string> = {
    main: 'main, [role="main"]',
    navigation: 'nav, [role="navigation"]',
    complementary: 'aside, [role="complementary"]',
    search: 'search, [role="search"]',
    region: 'section[aria-label], [role="region"]',
    banner: '#root > div > header, [role="banner"]',
  }
  const all = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility())
  const faults: string[] = []

  const titles = all('h1')
  if (titles.length !== 1) faults.push(`${titles.length} titles`)
  for (const heading of all('main :is(h2, h3)'))
    if (heading.textContent === titles[0]?.textContent) faults.push(`"${heading.textContent}" is the title once more`)

  for (const [role, selector] of Object.entries(LANDMARKS)) {
    const names = all(selector).map((element) => element.ariaLabel ?? '')
    for (const name of new Set(names))
      if (names.filter((one) => one === name).length > 1) faults.push(`several times ${role} "${name}"`)
  }
  for (const table of all('table'))
    if (!table.ariaLabel && !table.querySelector('caption')) faults.push('a table without a name')
  return faults
}
