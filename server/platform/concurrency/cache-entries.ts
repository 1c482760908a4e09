/**
 * The options that bound an LRUCache to this many entries. It then grows with them; `max` allocates the memory of all
 * of them at once.
 */
export const cacheEntries = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 })
