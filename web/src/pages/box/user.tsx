import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const UserPage = () => (
  <PageBody>
    <PageHead title="UserPage" />
  </PageBody>
)
