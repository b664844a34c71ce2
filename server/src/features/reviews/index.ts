export { createReviews } from './create-reviews.js'
export { newestReviews, removedReviews } from './reviews.queries.js'
export { reviewRoutes } from './reviews.routes.js'
