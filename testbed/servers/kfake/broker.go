// A broker for tests that speaks Kafka's protocol: kfake of franz-go on 127.0.0.1:KFAKE_PORT, with its data in KFAKE_DIR;
// KFAKE_PASSWORD makes it ask for the login of "writer".
package main

import (
	"log"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/twmb/franz-go/pkg/kfake"
)

func main() {
	port, err := strconv.Atoi(os.Getenv("KFAKE_PORT"))
	if err != nil {
		log.Fatal("KFAKE_PORT is not a number")
	}
	options := []kfake.Opt{
		kfake.Ports(port), kfake.NumBrokers(1), kfake.DefaultNumPartitions(2), kfake.AllowAutoTopicCreation(),
		kfake.DataDir(os.Getenv("KFAKE_DIR")), kfake.SyncWrites(),
	}
	if password := os.Getenv("KFAKE_PASSWORD"); password != "" {
		options = append(options, kfake.EnableSASL(), kfake.Superuser("PLAIN", "writer", password))
	}
	cluster, err := kfake.NewCluster(options...)
	if err != nil {
		log.Fatal(err)
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	<-ended
	cluster.Close()
}
