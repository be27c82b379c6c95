// Run once by the image when the volume is empty: creates the nodes' user, which may only read and write one database.
db.getSiblingDB("admin").createUser({
  user: "topicrawl",
  pwd: process.env.MONGO_PASSWORD,
  roles: [{ role: "readWrite", db: "topicrawl" }],
});
