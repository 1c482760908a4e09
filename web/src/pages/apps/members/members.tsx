import { getRouteApi } from '@tanstack/react-router'
import { hasRole } from '../../../session/use-app.tsx'
import classes from '../app-page.module.css'
import { AppPage } from '../app-page.tsx'
import { Invitations } from './invitations.tsx'
import { MemberList } from './member-list.tsx'

const route = getRouteApi('/shell/apps/$appId/members')

/** The members of an app with their roles, and pending invitations. */
export function Members() {
  const { appId } = route.useParams()
  return (
    <AppPage appId={appId} tab="members">
      {(app) => (
        <div className={classes.tiles}>
          <MemberList app={app} />
          {hasRole(app, 'admin') && <Invitations app={app} />}
        </div>
      )}
    </AppPage>
  )
}
