import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { NotFound, PageError } from './components/feedback/failure.tsx'
import { parseAppsSearch, parseUsageSearch, parseWebhooksSearch } from './pages/apps/search-params.ts'
import { parseBoardSearch } from './pages/game/leaderboards/period.ts'
import { parsePlayersSearch } from './pages/game/players/search-params.ts'
import { parseImportSearch, parseZoneSearch } from './pages/imports/search-params.ts'
import { parseMapSearch } from './pages/map/url-state.ts'
import { parseGuideSearch } from './pages/welcome/steps.ts'
import { Callback } from './session/sign-in-callback.tsx'
import { Shell } from './shell/shell.tsx'

type FileFilters = {
  search?: string | undefined
  kind?: 'model' | 'image' | 'other' | undefined
  all?: true | undefined
}
type AuditFilters = { actor?: string; action?: string; subject?: string; since?: string; until?: string }

/** The named search parameters as strings. Empty values are dropped. */
function texts<Name extends string>(search: { [name in Name]?: unknown }, names: readonly Name[]) {
  const given = names.filter((name) => search[name] !== undefined && search[name] !== '')
  return Object.fromEntries(given.map((name) => [name, String(search[name])])) as { [name in Name]?: string }
}

/** All routes of the console. Pages are loaded on demand. */
const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: PageError })

const callback = createRoute({ getParentRoute: () => root, path: '/callback', component: Callback })
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome/$step',
  validateSearch: parseGuideSearch,
  component: lazyRouteComponent(() => import('./pages/welcome/welcome.tsx'), 'Welcome'),
})
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell, notFoundComponent: NotFound })

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home.tsx'), 'Home'),
})

const apps = createRoute({
  getParentRoute: () => shell,
  path: '/apps',
  validateSearch: parseAppsSearch,
  component: lazyRouteComponent(() => import('./pages/apps/apps.tsx'), 'Apps'),
})
const overview = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId',
  validateSearch: parseUsageSearch,
  component: lazyRouteComponent(() => import('./pages/apps/overview/overview.tsx'), 'Overview'),
})
const config = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/config',
  component: lazyRouteComponent(() => import('./pages/apps/config/config.tsx'), 'Config'),
})
const webhooks = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/webhooks',
  validateSearch: parseWebhooksSearch,
  component: lazyRouteComponent(() => import('./pages/apps/webhooks/webhooks.tsx'), 'Webhooks'),
})
const usage = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/usage',
  validateSearch: parseUsageSearch,
  component: lazyRouteComponent(() => import('./pages/apps/usage/usage.tsx'), 'Usage'),
})
const members = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/members',
  component: lazyRouteComponent(() => import('./pages/apps/members/members.tsx'), 'Members'),
})
const invitation = createRoute({
  getParentRoute: () => shell,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/apps/members/accept-invitation.tsx'), 'AcceptInvitation'),
})
const settings = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/settings',
  component: lazyRouteComponent(() => import('./pages/apps/settings.tsx'), 'Settings'),
})

const players = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/players',
  validateSearch: parsePlayersSearch,
  component: lazyRouteComponent(() => import('./pages/game/players/players.tsx'), 'Players'),
})
const player = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/players/$playerId',
  component: lazyRouteComponent(() => import('./pages/game/players/player.tsx'), 'PlayerPage'),
})
const miniGames = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/mini-games',
  component: lazyRouteComponent(() => import('./pages/game/mini-games/mini-games.tsx'), 'MiniGames'),
})
const sessions = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/sessions',
  validateSearch: (search: { q?: string; status?: string }) => texts(search, ['q', 'status']),
  component: lazyRouteComponent(() => import('./pages/game/sessions/sessions.tsx'), 'Sessions'),
})
const session = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/sessions/$sessionId',
  component: lazyRouteComponent(() => import('./pages/game/sessions/session.tsx'), 'SessionPage'),
})
const boards = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/boards',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/apps/$appId/boards/$type', params: { ...params, type: 'default' } })
  },
})
const seasons = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/seasons',
  component: lazyRouteComponent(() => import('./pages/game/seasons/seasons.tsx'), 'Seasons'),
})
const reviews = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/reviews',
  validateSearch: (search: { state?: string }) => texts(search, ['state']),
  component: lazyRouteComponent(() => import('./pages/game/reviews/reviews.tsx'), 'Reviews'),
})
const fences = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/fences',
  component: lazyRouteComponent(() => import('./pages/game/fences/fences.tsx'), 'Fences'),
})
const board = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/boards/$type',
  validateSearch: parseBoardSearch,
  component: lazyRouteComponent(() => import('./pages/game/leaderboards/leaderboard.tsx'), 'LeaderboardPage'),
})

const map = createRoute({
  getParentRoute: () => shell,
  path: '/map',
  validateSearch: parseMapSearch,
  component: lazyRouteComponent(() => import('./pages/map/map.tsx'), 'MapPage'),
})
const locate = createRoute({
  getParentRoute: () => shell,
  path: '/locate',
  component: lazyRouteComponent(() => import('./pages/locate/locate.tsx'), 'Locate'),
})
const imports = createRoute({
  getParentRoute: () => shell,
  path: '/import',
  validateSearch: parseZoneSearch,
  component: lazyRouteComponent(() => import('./pages/imports/imports.tsx'), 'Imports'),
})
const importOne = createRoute({
  getParentRoute: () => shell,
  path: '/import/$uploadId',
  validateSearch: parseImportSearch,
  component: lazyRouteComponent(() => import('./pages/imports/import.tsx'), 'ImportPage'),
})
const scans = createRoute({
  getParentRoute: () => shell,
  path: '/scans',
  validateSearch: ({ of, view }: { of?: unknown; view?: unknown }): { of?: 'public'; view?: 'map' } => ({
    ...(of === 'public' ? { of } : {}),
    ...(view === 'map' ? { view } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/scans/scans.tsx'), 'Scans'),
})
const scan = createRoute({
  getParentRoute: () => shell,
  path: '/scans/$scanId',
  component: lazyRouteComponent(() => import('./pages/scans/scan.tsx'), 'ScanPage'),
})
const files = createRoute({
  getParentRoute: () => shell,
  path: '/files',
  validateSearch: ({ all, ...search }: FileFilters): FileFilters => ({
    ...(texts(search, ['search', 'kind']) as FileFilters),
    ...(all ? { all: true } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/files/files.tsx'), 'Files'),
})
const file = createRoute({
  getParentRoute: () => shell,
  path: '/files/$fileId',
  component: lazyRouteComponent(() => import('./pages/files/file.tsx'), 'FilePage'),
})

const users = createRoute({
  getParentRoute: () => shell,
  path: '/users',
  validateSearch: ({ q }: { q?: string }) => (q ? { q } : {}) as { q?: string },
  component: lazyRouteComponent(() => import('./pages/admin/users.tsx'), 'Users'),
})
const user = createRoute({
  getParentRoute: () => shell,
  path: '/users/$userId',
  component: lazyRouteComponent(() => import('./pages/admin/user.tsx'), 'UserPage'),
})
const audit = createRoute({
  getParentRoute: () => shell,
  path: '/audit',
  validateSearch: (search: AuditFilters) => texts(search, ['actor', 'action', 'subject', 'since', 'until']),
  component: lazyRouteComponent(() => import('./pages/admin/audit/audit.tsx'), 'Audit'),
})
const health = createRoute({
  getParentRoute: () => shell,
  path: '/health',
  component: lazyRouteComponent(() => import('./pages/admin/health.tsx'), 'Health'),
})

const tokens = createRoute({
  getParentRoute: () => shell,
  path: '/tokens',
  component: lazyRouteComponent(() => import('./pages/tokens/tokens.tsx'), 'Tokens'),
})
const sharedMaps = createRoute({
  getParentRoute: () => shell,
  path: '/shared-maps',
  component: lazyRouteComponent(() => import('./pages/shared-maps/shared-maps.tsx'), 'SharedMaps'),
})
const nowhere = createRoute({
  getParentRoute: () => shell,
  path: '$',
  component: lazyRouteComponent(() => import('./pages/nowhere.tsx'), 'Nowhere'),
})

const tree = root.addChildren([
  callback,
  welcome,
  shell.addChildren([
    ...[home, apps, overview, config, webhooks, usage, members, invitation, settings],
    ...[players, player, miniGames, sessions, session, boards, board, seasons, reviews, fences],
    ...[map, locate, imports, importOne, scans, scan, files, file],
    ...[users, user, audit, health, tokens, sharedMaps, nowhere],
  ]),
])

export const router = createRouter({
  routeTree: tree,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
