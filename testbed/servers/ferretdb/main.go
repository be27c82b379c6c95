// A MongoDB wire server for tests: FerretDB over SQLite files, set by the same environment variables as FerretDB itself.
//
// FerretDB's own command, installed as a module, stops at once because a generated file is not part of the module.
package main

import (
	"context"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: os.Getenv("FERRETDB_LISTEN_ADDR")},
		Handler:   "sqlite",
		SQLiteURL: os.Getenv("FERRETDB_SQLITE_URL"),
	})
	if err != nil {
		log.Fatalf("FerretDB does not start: %s (are FERRETDB_LISTEN_ADDR and FERRETDB_SQLITE_URL set?)", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
