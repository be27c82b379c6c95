// The image runs this once, when the volume is empty: the nodes' user may read and write one database, nothing else.
db.getSiblingDB("admin").createUser({
  user: "topicrawl",
  pwd: process.env.MONGO_PASSWORD,
  roles: [{ role: "readWrite", db: "topicrawl" }],
});
