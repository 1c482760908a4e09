import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const PlayerPage = () => (
  <PageBody>
    <PageHead title="PlayerPage" />
  </PageBody>
)
