import { PageBody, PageHead } from '../parts/page-head.tsx'

export const Home = () => (
  <PageBody>
    <PageHead title="Home" />
  </PageBody>
)
