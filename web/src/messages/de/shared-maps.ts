/** Maps that are shared by a link. */
export const sharedMaps = {
  sub: 'Eine geteilte Karte ist eine Seite mit Zonen, Pins und Ranglisten Ihrer Wahl. Wer den Link hat, kann sie öffnen, und andere Websites können sie einbetten.',
  list: 'Ihre geteilten Karten',
  new: 'Neue geteilte Karte',
  change: (title: string) => `${title} bearbeiten`,
  name: 'Titel',
  description: 'Beschreibung',
  descriptionHint: 'Steht unter dem Titel',
  zones: 'Zonen',
  zonesHint: 'Ihre Grenzen werden gezeichnet. Höchstens 10.',
  pinsInZones: 'Öffentliche Pins zeigen, die diesen Zonen zugeordnet sind',
  pins: 'Weitere Pins',
  pinsHint: 'IDs von Pins, z. B. 12. Private Pins lassen sich nicht zeigen.',
  notAnId: (text: string) => `„${text}“ ist keine Pin-ID`,
  boards: 'Ranglisten',
  boardsHint: 'Zeigt die besten zehn mit Namen und Ergebnis. Höchstens 4, aus Ihren ersten 20 Apps.',
  defaultBoard: (app: string) => `${app}: Standardspiel`,
  board: (app: string, type: string) => `${app}: ${type}`,
  create: 'Karte erstellen',
  save: 'Änderungen speichern',
  content: 'Inhalt',
  counts: (zones: number, pins: number, boards: number) => {
    const of = (count: number, one: string, many: string) =>
      count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
    const all = [...of(zones, 'Zone', 'Zonen'), ...of(pins, 'Pin', 'Pins'), ...of(boards, 'Rangliste', 'Ranglisten')]
    return all.join(', ') || 'Noch leer'
  },
  changed: 'Geändert',
  open: (title: string) => `${title} öffnen`,
  link: 'Link zu',
  embed: 'Einbetten',
  embedOf: (title: string) => `${title} einbetten`,
  embedTitle: (title: string) => `${title} in eine Seite einbetten`,
  embedText: 'Fügen Sie diesen Code in das HTML Ihrer Seite ein. Die Karte setzt dort keine Cookies.',
  embedCode: 'Einbettungscode',
  edit: (title: string) => `${title} bearbeiten`,
  empty: 'Noch keine geteilten Karten',
  emptyText: 'So zeigen Sie eine Tour oder Veranstaltung auch Leuten ohne Konto.',
  removal: {
    button: 'Karte löschen',
    title: (title: string) => `Karte ${title} löschen?`,
    text: 'Der Link und alle Seiten, die sie einbetten, zeigen dann nichts mehr. Zonen, Pins und Ergebnisse bleiben.',
    done: (title: string) => `${title} gelöscht`,
    not: 'Die Karte wurde nicht gelöscht',
  },
}
