// Records of a part of a map, put together where they lie close: for forms with more points than a browser can hold.
export { clustersOf } from './clusters.js'
export { clusterRoutes } from './clusters.routes.js'
export { ClusterParams, ClustersView } from './clusters.schemas.js'
