/** Maps that are shared by a link. */
export const sharedMaps = {
  sub: 'A shared map is a page with zones, pins and leaderboards that you choose. Anyone who has the link can open it, and other sites can embed it.',
  list: 'Your shared maps',
  new: 'New shared map',
  change: (title: string) => `Change ${title}`,
  name: 'Title',
  description: 'Description',
  descriptionHint: 'Shown below the title',
  zones: 'Zones',
  zonesHint: 'Their boundaries are drawn. At most 10.',
  pinsInZones: 'Show the public pins assigned to these zones',
  pins: 'Other pins',
  pinsHint: 'IDs of pins, such as 12. Private pins cannot be shown.',
  notAnId: (text: string) => `“${text}” is not the ID of a pin`,
  boards: 'Leaderboards',
  boardsHint: 'Shows the ten best with their names and scores. At most 4, of your first 20 apps.',
  defaultBoard: (app: string) => `${app}: default game`,
  board: (app: string, type: string) => `${app}: ${type}`,
  create: 'Create map',
  save: 'Save changes',
  content: 'Content',
  counts: (zones: number, pins: number, boards: number) => {
    const of = (count: number, one: string, many: string) =>
      count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
    const all = [
      ...of(zones, 'zone', 'zones'),
      ...of(pins, 'pin', 'pins'),
      ...of(boards, 'leaderboard', 'leaderboards'),
    ]
    return all.join(', ') || 'Nothing yet'
  },
  changed: 'Changed',
  open: (title: string) => `Open ${title}`,
  link: 'the link',
  embed: 'Embed',
  embedOf: (title: string) => `Embed ${title}`,
  embedTitle: (title: string) => `Embed ${title} in a page`,
  embedText: 'Paste this into the HTML of your page. The map sets no cookie there.',
  embedCode: 'the code to embed the map',
  edit: (title: string) => `Change ${title}`,
  empty: 'No shared maps yet',
  emptyText: 'Create one to show a tour or an event to people without an account.',
  removal: {
    button: 'Delete map',
    title: (title: string) => `Delete the map ${title}?`,
    text: 'Its link and the pages that embed it show nothing any more. Zones, pins and scores stay.',
    done: (title: string) => `${title} was deleted`,
    not: 'The map was not deleted',
  },
}
