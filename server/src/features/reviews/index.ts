export { newestReviews } from './reviews.queries.js'
export { reviewRoutes } from './reviews.routes.js'
