/** The tables of a page that are wider than their frame, and the words in them that are broken across lines because their column is too narrow. */
export function cramped(): string[] {
  const faults: string[] = []
  for (const table of document.querySelectorAll('main table')) {
    const frame = table.parentElement!
    if (!table.checkVisibility()) continue
    if (frame.scrollWidth > frame.clientWidth + 1)
      faults.push(`"${table.ariaLabel}" is ${frame.scrollWidth} in ${frame.clientWidth}`)
    const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode as Text
      if (!text.parentElement!.checkVisibility() || text.parentElement!.closest('.visually-hidden, .mono')) continue
      for (const { 0: word, index } of text.data.matchAll(/\p{L}{2,15}/gu)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1)
          faults.push(`"${word}" is broken in "${table.ariaLabel}"`)
      }
    }
  }
  return faults
}
