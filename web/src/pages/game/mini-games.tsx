import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const MiniGames = () => (
  <PageBody>
    <PageHead title="MiniGames" />
  </PageBody>
)
