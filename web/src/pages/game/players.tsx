import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const Players = () => (
  <PageBody>
    <PageHead title="Players" />
  </PageBody>
)
