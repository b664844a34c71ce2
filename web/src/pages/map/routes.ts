import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  {
    path: '/forms/:formId(\\d+)/map',
    component: () => import('./map.vue'),
    props: ({ params }) => ({ formId: Number(params.formId) }),
    meta: { access: 'anyone' },
  },
]
